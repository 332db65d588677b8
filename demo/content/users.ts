/** People who sign in. The first one runs the platform and belongs to no organization. */
export const users = [
  { email: "admin@platform.example.org", name: "Nadia Rousseau", platform_admin: true },
  { email: "sofia.almeida@tidewater.example.com", name: "Sofia Almeida", platform_admin: false },
  { email: "marcus.lindgren@tidewater.example.com", name: "Marcus Lindgren", platform_admin: false },
  { email: "aiko.tanabe@tidewater.example.com", name: "Aiko Tanabe", platform_admin: false },
  { email: "diogo.matos@casa-aberta.example.org", name: "Diogo Matos", platform_admin: false },
  { email: "leonor.vaz@casa-aberta.example.org", name: "Leonor Vaz", platform_admin: false },
  { email: "petra.kralova@quorum.example.com", name: "Petra Králová", platform_admin: false },
  { email: "samir.desai@quorum.example.com", name: "Samir Desai", platform_admin: false },
  { email: "genevieve.roy@boreal.example.org", name: "Geneviève Roy", platform_admin: false },
  { email: "etienne.fortin@boreal.example.org", name: "Étienne Fortin", platform_admin: false },
  { email: "mori.keiko@kamogawa.example.net", name: "森 恵子", platform_admin: false },
  { email: "ebele.nwachukwu@signal-orchard.example.com", name: "Ebele Nwachukwu", platform_admin: false },
  { email: "tom.ashworth@signal-orchard.example.com", name: "Tom Ashworth", platform_admin: false },
] as const;

export type UserEmail = (typeof users)[number]["email"];
