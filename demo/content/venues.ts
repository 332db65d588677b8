const docaCentral = "Rua da Doca Nova 18, 1350-352 Lisboa, Portugal";
const usine = "2120 rue des Forgerons, Montréal, QC H3K 1A7, Canada";
const institute = "12-3 Shimogawara-cho, Sakyo-ku, Kyoto 606-8201, Japan";

export const venues = {
  mainHall: { name: "Doca Central, Main Hall", address: docaCentral },
  roomTejo: { name: "Doca Central, Room Tejo", address: docaCentral },
  roomAlfama: { name: "Doca Central, Room Alfama", address: docaCentral },
  workshopLoft: { name: "Doca Central, Workshop Loft", address: docaCentral },
  northHall: { name: "Doca Central, North Hall", address: docaCentral },
  casaAberta: { name: "Casa Aberta", address: "Rua das Oficinas 41, 1200-287 Lisboa, Portugal" },
  casaCourtyard: { name: "Casa Aberta, Courtyard", address: "Rua das Oficinas 41, 1200-287 Lisboa, Portugal" },
  riverTerrace: { name: "Terraço do Rio", address: "Cais da Ribeira Velha 7, 1100-148 Lisboa, Portugal" },
  warehouse: { name: "Armazém 12", address: "Rua do Açúcar Novo 12, 1950-006 Lisboa, Portugal" },
  restaurant: { name: "Maré Alta", address: "Travessa do Farol 3, 1200-472 Lisboa, Portugal" },
  usineHall: { name: "Usine Saint-Ambre, Grande salle", address: usine },
  usineAtelier: { name: "Usine Saint-Ambre, Atelier 2", address: usine },
  usineMezzanine: { name: "Usine Saint-Ambre, Mezzanine", address: usine },
  library: { name: "Bibliothèque du Canal", address: "845 rue du Canal Est, Montréal, QC H3C 2R9, Canada" },
  cedarHall: { name: "Kamogawa Institute, Cedar Hall", address: institute },
  libraryRoom: { name: "Kamogawa Institute, Library", address: institute },
  ryokan: { name: "Ryokan Mizunoto", address: "Kawabata-dori 88, Higashiyama-ku, Kyoto 605-0079, Japan" },
} as const;

export type VenueKey = keyof typeof venues;
