/** How many people asked for a seat, and what became of them. Who is not approved, waitlisted or declined is pending. */
export type GuestList = {
  event: string;
  approved: number;
  waitlisted: number;
  declined: number;
  pending: number;
  /** Of the approved ones. Badges can be collected early, so some are checked in before the doors open. */
  checkedIn: number;
  tickets: readonly string[];
  questions: readonly (keyof typeof answerChoices)[];
};

export const guestLists: readonly GuestList[] = [
  list(
    "opening-keynote",
    [38, 0, 2, 8],
    9,
    ["Full pass", "Full pass", "Day pass", "Student"],
    ["company", "role", "first_time"],
  ),
  list("databases-without-downtime", [20, 0, 1, 5], 0, ["Full pass", "Day pass"], ["company", "role"]),
  list(
    "agents-in-production",
    [30, 0, 3, 7],
    5,
    ["Full pass", "Full pass", "Day pass"],
    ["company", "role", "question"],
  ),
  list("women-in-infrastructure", [17, 0, 1, 4], 0, ["Lunch seat"], ["company", "dietary_requirements"]),
  list("accessible-by-default", [40, 13, 2, 3], 6, ["Workshop seat"], ["role", "assistive_technology", "bringing"]),
  list("welcome-reception", [37, 0, 2, 5], 0, ["Full pass", "Guest of a pass holder"], ["dietary_requirements"]),
  list("founders-breakfast", [14, 1, 1, 2], 0, ["Invitation"], ["company", "dietary_requirements"]),
  list("open-protocols", [25, 0, 1, 4], 0, ["Full pass", "Day pass", "Student"], ["company", "first_time"]),
  list(
    "edge-computing-lab",
    [21, 0, 1, 4],
    3,
    ["Workshop seat", "Workshop seat, board included"],
    ["role", "bringing"],
  ),
  list("code-and-fado", [26, 0, 1, 5], 0, ["Standing", "Seated"], ["first_time"]),
  list("platform-forum", [22, 0, 2, 4], 0, ["Full pass", "Day pass"], ["company", "role", "question"]),
  list("supply-chain-drill", [20, 0, 2, 4], 0, ["Workshop seat"], ["company", "role", "bringing"]),
  list("speakers-dinner", [13, 0, 1, 2], 0, ["Speaker", "Guest of a speaker"], ["dietary_requirements"]),
  list("lightning-talks", [15, 0, 0, 3], 0, ["Full pass", "Student"], ["first_time"]),
  list("closing-keynote", [23, 0, 1, 4], 0, ["Full pass", "Day pass"], ["company"]),
  list("opening-assembly", [23, 0, 0, 5], 0, ["Free admission"], ["first_time", "preferred_language"]),
  list(
    "first-contribution",
    [22, 2, 1, 3],
    0,
    ["Free admission", "Borrowed laptop"],
    ["bringing", "preferred_language"],
  ),
  list("soiree", [18, 0, 1, 3], 0, ["Free admission"], ["dietary_requirements", "preferred_language"]),
  list("data-commons", [10, 0, 1, 3], 0, ["Free admission"], ["company", "question"]),
  list("summit-opening", [12, 1, 1, 2], 0, ["Invitation"], ["company", "interpretation"]),
  list("national-scale", [13, 1, 1, 3], 0, ["Invitation"], ["company", "interpretation", "question"]),
  list("riverside-dinner", [11, 1, 1, 1], 0, ["Invitation"], ["dietary_requirements", "interpretation"]),
];

export const answerChoices = {
  company: [
    "Kobo Payments",
    "Cedarline Logistics",
    "Monsoon Rail",
    "Nordvind Energy",
    "Harbourline Bank",
    "Fibra Comum",
    "Teranga Telecom",
    "Independent",
    "City of Almada",
    "Open Water Atlas",
    "Jacarandá",
    "Carpat Mobility",
  ],
  role: [
    "Backend engineer",
    "Site reliability engineer",
    "Engineering manager",
    "Product designer",
    "Database administrator",
    "Security engineer",
    "Researcher",
    "Technical writer",
  ],
  first_time: [true, false, true],
  dietary_requirements: ["none", "vegetarian", "vegan", "gluten-free", "halal", "nut allergy", "none", "kosher"],
  question: [
    "How do you decide what an automated change may touch?",
    "What did you remove, and did anybody notice?",
    "How do you pay for maintenance?",
    "Which of your lessons apply to a team of three?",
    "What would you measure first?",
  ],
  assistive_technology: ["none", "screen reader", "keyboard only", "screen magnifier", "none", "voice control"],
  bringing: ["own laptop", "own laptop", "needs a laptop", "own laptop and a project to work on"],
  preferred_language: ["fr", "en", "fr", "en", "es"],
  interpretation: ["English", "日本語", "none needed"],
} as const;

export const studentAnswers = { company: "Wisła Technical University", role: "Student" } as const;

export const sources = ["website", "luma", "newsletter", "referral", "website", "partner", "luma", "agent"] as const;

export const notes = {
  approved: ["Asked for a seat near the aisle.", "Arrives after the first session.", "Writes for a trade magazine."],
  pending: ["Waiting for the confirmation of the employer.", "Asked for an invoice first."],
  waitlisted: ["Can come at one hour’s notice.", "Would also come for the second half only."],
  declined: ["Registered twice; the other entry stays.", "Cannot travel on that day."],
} as const;

export const earlyBadgeNote = "Collected the badge early at the Lisbon office.";

type Counts = [approved: number, waitlisted: number, declined: number, pending: number];

function list(
  event: string,
  [approved, waitlisted, declined, pending]: Counts,
  checkedIn: number,
  tickets: GuestList["tickets"],
  questions: GuestList["questions"],
): GuestList {
  return { event, approved, waitlisted, declined, pending, checkedIn, tickets, questions };
}
