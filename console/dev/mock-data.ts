type Fields = Record<string, unknown>;

export type MockState = {
  signedIn: boolean;
  version: number;
  person: Fields;
  organizations: Fields[];
  event: Fields;
};

export function mockState(): MockState {
  return {
    signedIn: false,
    version: 1,
    person: { id: "1", name: "Inês Carvalho", email: "ines@example.org", platform_admin: true },
    organizations: [
      {
        id: "o1",
        slug: "atlantic-dev",
        name: "Atlantic Developer Circle",
        role: "owner",
        logo_url: null,
        brand_primary_color: null,
      },
      { id: "o2", slug: "lumen", name: "Lumen Labs", role: "member", logo_url: null, brand_primary_color: "#c2410c" },
    ],
    event: {
      id: "e1",
      name: "Opening night",
      start_time: "2026-12-08T18:30:00Z",
      end_time: "2026-12-08T22:00:00Z",
      timezone: "Europe/Lisbon",
      venue: "Hall 1",
      capacity: 240,
      description:
        "An evening for everyone who builds with agents: three short talks, then food and music on the terrace until ten.",
    },
  };
}

export const applyPatch = (current: Fields, args: Fields): Fields => ({ ...current, ...args });
