/** What a posting agent can say beside a poster of the event. */
export const posterCaptions: Record<string, { captions: readonly [string, string]; hashtags: readonly string[] }> = {
  "opening-keynote": {
    captions: [
      "Three rewrites, one registry, no lost record: Inês Carvalho opens Meridian with what she would do again.",
      "What do twenty-year-old systems have in common? We start the conference by asking two people who keep them alive.",
    ],
    hashtags: ["#Keynote", "#LongLivedSoftware"],
  },
  "agents-in-production": {
    captions: [
      "Previews, budgets, audit trails, and a stop button that works: five people who let agents act in earnest compare notes.",
      "Would you let an agent answer your guests? Our panel already does. Bring your hardest question.",
    ],
    hashtags: ["#Agents", "#Automation"],
  },
  "databases-without-downtime": {
    captions: [
      "Three migrations, three runbooks, and one story that did not end well. Come for the last one.",
      "Change the schema while the tills ring. Room Tejo, right after the opening.",
    ],
    hashtags: ["#Databases", "#PostgreSQL"],
  },
  "women-in-infrastructure": {
    captions: [
      "Pull up a chair: lunch for women and non-binary people who run networks, platforms and data centres.",
      "New to infrastructure? There is a table for you, and Amara Okafor is sitting at it.",
    ],
    hashtags: ["#WomenInTech", "#Infrastructure"],
  },
  "accessible-by-default": {
    captions: [
      "Bring one screen of your own product. Leave with a list of fixes you can ship on Monday.",
      "Keyboard only, screen reader on: a workshop with the people who use both every day.",
    ],
    hashtags: ["#Accessibility", "#A11y"],
  },
  "query-clinic": {
    captions: [
      "The doctor will see your query now. Bring the plan; we read it together.",
      "Two hours, two engineers, any PostgreSQL-compatible database. No appointment needed.",
    ],
    hashtags: ["#PostgreSQL", "#Performance"],
  },
  "welcome-reception": {
    captions: [
      "Sunset, petiscos and badges you can read from across the terrace. See you by the river.",
      "First evening in Lisbon? Start at Terraço do Rio. It is included in every pass.",
    ],
    hashtags: ["#Lisboa", "#Community"],
  },
  "founders-breakfast": {
    captions: [
      "One question per table, no slides, good coffee.",
      "Twenty-four seats for those who carry a project on their shoulders.",
    ],
    hashtags: ["#Maintainers", "#Founders"],
  },
  "open-protocols": {
    captions: [
      "Which open standards grew this year, and which ones should you bet on? Two editors answer in public.",
      "Forty transit agencies agreed on one format. Rui Tavares Lima tells how.",
    ],
    hashtags: ["#OpenStandards", "#Protocols"],
  },
  "observability-you-can-afford": {
    captions: [
      "They deleted four fifths of their telemetry and found incidents faster. Here is how.",
      "A railway and a shop on the dashboards nobody missed.",
    ],
    hashtags: ["#Observability", "#SRE"],
  },
  "designing-for-trust": {
    captions: [
      "A warning that people read to the end is a small miracle. Chidi Nwosu makes them for a living.",
      "Send us a screen you do not trust. We will take it apart, kindly.",
    ],
    hashtags: ["#Design", "#Trust"],
  },
  "edge-computing-lab": {
    captions: [
      "Thirty-six boards, one bad network, one power switch. Will your update survive?",
      "Build it, unplug it, plug it back in. A hands-on afternoon with Lars Østergaard and Nguyễn Thị Minh Châu.",
    ],
    hashtags: ["#EdgeComputing", "#Firmware"],
  },
  "type-systems-meetup": {
    captions: [
      "Inference, migration, error messages, and soup. All levels welcome at Casa Aberta.",
      "A million lines, file by file: Dilara Yıldırım on moving to a strict type checker.",
    ],
    hashtags: ["#TypeSystems", "#Compilers"],
  },
  "code-and-fado": {
    captions: [
      "Two laptops, one voice, no rehearsal. Code and Fado is back at Armazém 12.",
      "Every line of code is on the wall, every song is made up on the spot.",
    ],
    hashtags: ["#LiveCoding", "#Fado"],
  },
  "open-house": {
    captions: [
      "See the repair bench, the tool library, the radio studio, and the kitchen behind every meetup.",
      "Casa Aberta means open house. For two hours, every single door is.",
    ],
    hashtags: ["#Lisboa", "#Community"],
  },
  "next-maintainer": {
    captions: [
      "She got the project at nineteen and gave it away at forty. Hélène Bouchard on handing over well.",
      "Notes, tests, money and manners: what do we owe those who come after us?",
    ],
    hashtags: ["#OpenSource", "#Maintainers"],
  },
  "platform-forum": {
    captions: [
      "Seven industries, eight minutes each: what we built, who uses it, what we deleted.",
      "A railway, a bank, a telecom and four more open the doors of their internal platforms.",
    ],
    hashtags: ["#PlatformEngineering", "#DevEx"],
  },
  "supply-chain-drill": {
    captions: [
      "A dependency of yours has been taken over. You have three hours. Go.",
      "Rehearse the bad day with people who have lived through it.",
    ],
    hashtags: ["#Security", "#SupplyChain"],
  },
  "verified-systems": {
    captions: [
      "Proofs that reached production: railways, storage, infusion pumps. The authors show the code as well.",
      "Is it proved, or merely tested? The research track has four answers.",
    ],
    hashtags: ["#FormalMethods", "#Research"],
  },
  "careers-afternoon": {
    captions: [
      "Thirty teams, an engineer at every table, and the salary range on every stand.",
      "Bring your portfolio: reviewers have time for you from 16:00.",
    ],
    hashtags: ["#Jobs", "#Careers"],
  },
  "local-languages": {
    captions: [
      "Arabic, Hindi, Thai, Chinese, Ukrainian: five people who make software speak their language.",
      "Forty keys, two thousand characters. How does that fit?",
    ],
    hashtags: ["#Localisation", "#Typography"],
  },
  "lightning-talks": {
    captions: [
      "Weather stations, ferries, tunnels: seven talks, five minutes each, one bell.",
      "The fastest session of the week. Blink and you miss a ferry.",
    ],
    hashtags: ["#LightningTalks", "#Community"],
  },
  "green-computing": {
    captions: [
      "A swimming hall heated by servers, and the temperature to prove it.",
      "Build machines that follow the wind: what works today, with the numbers.",
    ],
    hashtags: ["#GreenIT", "#Sustainability"],
  },
  "closing-keynote": {
    captions: [
      "Eight people, a third of a country’s bookshops. Carmen Ibáñez closes Meridian.",
      "What would you refuse to build? A farewell talk for small teams.",
    ],
    hashtags: ["#Keynote", "#SmallTeams"],
  },
  "unannounced-session": {
    captions: ["Not to be posted before the guest has signed.", "Text follows with the announcement."],
    hashtags: ["#Keynote"],
  },
  "opening-assembly": {
    captions: [
      "On ouvre la fin de semaine ensemble. We open the weekend together, in two languages and with sign-language interpretation.",
      "New here? Guides wear green scarves. Find one, find your room.",
    ],
    hashtags: ["#OpenSource", "#Montréal"],
  },
  "first-contribution": {
    captions: [
      "From an issue to a merged change in one morning, with a maintainer beside you.",
      "No laptop, no experience? No problem. We lend the first and skip the second.",
    ],
    hashtags: ["#FirstContribution", "#OpenSource"],
  },
  "documentation-clinic": {
    captions: [
      "Bring a page that nobody understands. Two hours later, a stranger will.",
      "Ruth Abebe rewrites documentation until the questions stop. Learn how.",
    ],
    hashtags: ["#Documentation", "#PlainLanguage"],
  },
  "home-server-fair": {
    captions: [
      "Mail, photos, maps, radio: twenty tables with servers that run right in front of you.",
      "Ask the people who operate them, and go home with a plan.",
    ],
    hashtags: ["#SelfHosting", "#OpenSource"],
  },
  "governance-that-works": {
    captions: [
      "Elections, stipends, and how to say no. Projects open their rule books.",
      "Write the rules before you need them. Chloé Desrosiers moderates.",
    ],
    hashtags: ["#Governance", "#OpenSource"],
  },
  soiree: {
    captions: [
      "Musique, poutine et prix des pairs : merci à celles et ceux qui contribuent.",
      "Fiddles, brass and an open stage. All languages are welcome on the dance floor.",
    ],
    hashtags: ["#Montréal", "#Merci"],
  },
  "translation-sprint": {
    captions: [
      "Cinq projets, une matinée, trois langues. Venez traduire avec nous.",
      "Reviewers for French, Spanish and Atikamekw are at the table. Bring your vocabulary.",
    ],
    hashtags: ["#Traduction", "#Localisation"],
  },
  "summit-opening": {
    captions: [
      "Tea, one table, one question. The Kyoto Systems Summit begins quietly.",
      "Who answers for the systems that everybody depends on? They meet in Cedar Hall.",
    ],
    hashtags: ["#Kyoto", "#Resilience"],
  },
  "national-scale": {
    captions: [
      "A power grid, an identity system, a bank, an air-traffic centre: the worst day each of them planned for.",
      "And the day that they did not plan for. Four people who were there.",
    ],
    hashtags: ["#Resilience", "#CriticalSystems"],
  },
  "hundred-year-systems": {
    captions: [
      "Who will run this when we are gone? A working session with a written outcome.",
      "Succession, archives, and budgets that outlast a government.",
    ],
    hashtags: ["#LongTerm", "#Infrastructure"],
  },
};
