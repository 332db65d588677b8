import type { PosterWords } from "../../poster-render/poster-input.js";

type Words = PosterWords & { call_to_action: string };

/** The words that a poster adds to those of the event, by language. */
const wordsByLanguage: Record<string, Words> = {
  ar: { with: "مع", more: "آخرون", moderator: "مدير الحوار", host: "المضيف", call_to_action: "امسح للتسجيل" },
  de: {
    with: "mit",
    more: "weitere",
    moderator: "Moderation",
    host: "Gastgeber",
    call_to_action: "Scannen und anmelden",
  },
  en: { with: "with", more: "more", moderator: "Moderator", host: "Host", call_to_action: "Scan to register" },
  es: { with: "con", more: "más", moderator: "Modera", host: "Presenta", call_to_action: "Escanea y regístrate" },
  fr: {
    with: "avec",
    more: "autres",
    moderator: "Modération",
    host: "Hôte",
    call_to_action: "Scannez pour vous inscrire",
  },
  he: { with: "עם", more: "נוספים", moderator: "בהנחיית", host: "בהגשת", call_to_action: "סרקו להרשמה" },
  it: { with: "con", more: "altri", moderator: "Modera", host: "Conduce", call_to_action: "Scansiona e iscriviti" },
  ja: { with: "共催", more: "名", moderator: "モデレーター", host: "司会", call_to_action: "スキャンして申し込む" },
  ko: { with: "공동 주최", more: "명", moderator: "진행", host: "사회", call_to_action: "스캔하고 신청하세요" },
  nl: {
    with: "met",
    more: "anderen",
    moderator: "Moderator",
    host: "Gastheer",
    call_to_action: "Scan en schrijf je in",
  },
  pl: {
    with: "oraz",
    more: "więcej",
    moderator: "Moderacja",
    host: "Prowadzenie",
    call_to_action: "Zeskanuj i zapisz się",
  },
  pt: {
    with: "com",
    more: "mais",
    moderator: "Moderação",
    host: "Apresentação",
    call_to_action: "Digitalize e inscreva-se",
  },
  tr: { with: "ile", more: "kişi", moderator: "Moderatör", host: "Sunucu", call_to_action: "Tara ve kaydol" },
  uk: { with: "разом з", more: "інших", moderator: "Модерація", host: "Ведучі", call_to_action: "Скануй і реєструйся" },
  zh: { with: "联合主办", more: "位", moderator: "主持", host: "主持", call_to_action: "扫码报名" },
};

/** Texts without a language of their own are read by their script: only where a script is nearly always one language. */
const languagesByScript: [RegExp, string][] = [
  [/\p{Script=Hebrew}/u, "he"],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
];

/** The language of a poster: the given one, or the one that its title is evidently written in. */
export function posterLanguage(language: string | undefined, title: string): string | undefined {
  return language ?? languagesByScript.find(([script]) => script.test(title))?.[1];
}

/** In English if there are no words in that language. */
export function wordsIn(language: string): Words {
  const english = wordsByLanguage.en as Words;
  return wordsByLanguage[language.split("-")[0]?.toLowerCase() ?? ""] ?? english;
}
