/** Names of guests. Given and family names are only combined within a group, so that each name is a likely one. */
export const nameGroups: readonly { given: readonly string[]; family: readonly string[] }[] = [
  {
    given: ["Mariana", "Tiago", "Joana", "Gonçalo", "Inês", "Nuno", "Catarina", "Simão", "Filipa", "Rodrigo"],
    family: ["Ferreira", "Antunes", "Simões", "Magalhães", "Pacheco", "Leitão", "Sequeira", "Brandão"],
  },
  {
    given: ["Luiza", "Thiago", "Júlia", "Caetano", "Heloísa", "Otávio", "Yasmin", "Davi"],
    family: ["Nascimento", "Araújo", "Cardoso", "Moreira", "Gonçalves", "Teixeira", "Rezende"],
  },
  {
    given: ["Amélie", "Mathieu", "Noémie", "François", "Océane", "Gaël", "Solène", "Rémi", "Maïté", "Benoît"],
    family: ["Tremblay", "Lefèvre", "Côté", "Bélanger", "Delacroix", "Pelletier", "Lévesque", "Guérin"],
  },
  {
    given: ["Grace", "Callum", "Imogen", "Declan", "Harriet", "Rory", "Bethan", "Miles", "Orla", "Jonah"],
    family: ["Whitfield", "MacLeod", "Pritchard", "Donnelly", "Ellsworth", "Hargreaves", "Kinsella", "Stroud"],
  },
  {
    given: ["Lucía", "Álvaro", "Ximena", "Joaquín", "Valentina", "Íñigo", "Renata", "Matías"],
    family: ["Fernández", "Castaño", "Ibarra", "Muñoz", "Echeverría", "Villaseñor", "Güell", "Peña"],
  },
  {
    given: ["Annika", "Jörg", "Freya", "Søren", "Liv", "Håkan", "Silke", "Mikkel", "Åsa", "Torsten"],
    family: ["Bergström", "Müller", "Sørensen", "Kühn", "Aaltonen", "Hägglund", "Schröder", "Nygaard"],
  },
  {
    given: ["Agnieszka", "Łukasz", "Małgorzata", "Grzegorz", "Zuzanna", "Paweł"],
    family: ["Nowak", "Zając", "Wróbel", "Sikora", "Górny", "Mróz", "Jabłoń"],
  },
  {
    given: ["Tomáš", "Ondřej", "Vojtěch", "Jiří", "Šimon", "Matěj"],
    family: ["Horák", "Vaněk", "Šimek", "Malík", "Doležal"],
  },
  {
    given: ["Elif", "Emre", "Ayşe", "Kerem", "Şebnem", "Barış"],
    family: ["Özkan", "Demirci", "Şahin", "Güneş", "Aydoğan", "Kılıç"],
  },
  {
    given: ["Aditi", "Rohan", "Lakshmi", "Vikram", "Ishita", "Arjun", "Nandini", "Karthik"],
    family: ["Deshpande", "Subramanian", "Banerjee", "Kulkarni", "Pillai", "Chaudhary", "Bhat"],
  },
  {
    given: ["Adaeze", "Chinedu", "Ifeoma", "Obinna", "Nkechi", "Emeka"],
    family: ["Obi", "Okonkwo", "Nwankwo", "Eze", "Onyeka"],
  },
  {
    given: ["Wanjiru", "Kiprono", "Achieng", "Mwangi", "Nyambura", "Otieno", "Wambui"],
    family: ["Kamau", "Njoroge", "Odhiambo", "Kimani", "Cheruiyot", "Muthoni"],
  },
  {
    given: ["Abena", "Kwame", "Akosua", "Kofi", "Esi"],
    family: ["Mensah", "Boateng", "Owusu", "Asante", "Addo", "Ofori", "Quaye"],
  },
  {
    given: ["Yui", "Sho", "Ayaka", "Daichi", "Mio", "Takumi", "Nanami", "Ren"],
    family: ["Fujimoto", "Ishikawa", "Hasegawa", "Okada", "Matsuda", "Shimizu", "Ueno"],
  },
  {
    given: ["Linh", "Hương", "Quang", "Thảo", "Đức", "Hải"],
    family: ["Trần", "Lê", "Phạm", "Đặng", "Vũ", "Bùi"],
  },
  {
    given: ["Salma", "Karim", "Yasmine", "Tariq", "Rania", "Bilal", "Hind"],
    family: ["Benjelloun", "Mansour", "Khalil", "Aziz", "Bouazza", "Najjar"],
  },
];

/** Guests who write their name in their own script, with the local part of their address. */
export const namesInOtherScripts: readonly [name: string, address: string][] = [
  ["田中 美咲", "misaki.tanaka"],
  ["鈴木 大輔", "daisuke.suzuki"],
  ["小林 さくら", "sakura.kobayashi"],
  ["李 佳怡", "jiayi.li"],
  ["王浩然", "haoran.wang"],
  ["박지훈", "jihun.park"],
  ["이수민", "sumin.lee"],
  ["Дмитро Коваленко", "dmytro.kovalenko"],
  ["Ірина Бондар", "iryna.bondar"],
  ["Мария Николова", "maria.nikolova"],
  ["Γιώργος Αντωνίου", "giorgos.antoniou"],
  ["Κατερίνα Μαρκάκη", "katerina.markaki"],
  ["سارة المنصوري", "sara.almansoori"],
  ["عمر خليل", "omar.khalil"],
  ["נועה לוי", "noa.levi"],
  ["प्रिया शर्मा", "priya.sharma"],
  ["राहुल वर्मा", "rahul.verma"],
  ["สมชาย ใจดี", "somchai.jaidee"],
  ["ნინო ბერიძე", "nino.beridze"],
  ["Անի Հակոբյան", "ani.hakobyan"],
];
