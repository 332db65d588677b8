/** The values that documents show. Ids are those of the demo data, so that an example works on a fresh installation. */
export const exampleBaseUrl = "https://events.example.com";

export const exampleIds = {
  conference: "e8a0a3fd-dbc3-8924-9fd9-626015f32b1b",
  organization: "0254c9e0-04a0-876d-90dc-7786221dc4bf",
  cohost: "dc981037-f607-8c8d-aa3d-b3140195f905",
  otherOrganization: "6462e51f-bacb-8f04-9ea3-009655428617",
  event: "71724f52-eb02-8e43-9aa3-9268036ed373",
  poster: "23f4e386-939e-80db-972d-460f3fa1cf22",
  speakers: [
    "07dda942-1a28-85ac-8e4c-af643c7bacaa",
    "11bc53b2-29a8-80fa-bdc6-a1e01c110577",
    "662b6f58-a9c7-8907-ac72-638b4d4a472d",
  ],
  segments: [
    "e608352a-b122-8367-9481-4899651b1812",
    "7d5e605d-4894-8302-92b7-90e8ec88f6d3",
    "c083cf99-9681-809f-b9aa-ef1ad1cbf1cb",
    "93f3910c-f5a0-8b10-a5af-f7bded510567",
    "f8acc668-11d2-8a56-9cd9-a110792c9f0b",
  ],
  pendingRegistration: "ad9aac97-10eb-80ab-a8dc-25324febf4ba",
  approvedRegistration: "88771c3d-6fe7-848a-aea1-fb4563ebb96c",
  declinedRegistration: "e5882cae-4b39-8f7e-b107-a7ed5f606200",
  record: "3f0c2a9e-5b7d-4c1e-9a64-2d8e7f10b6c3",
} as const;

export function exampleImageUrl(hash: string): string {
  return `${exampleBaseUrl}/images/${hash}.png`;
}

/** The last page of a list. */
export function examplePage(...items: object[]) {
  return { items, pagination: { has_more: false, next_cursor: null, count: items.length } };
}
