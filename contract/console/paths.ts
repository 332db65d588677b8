/** Every request of the console, by name. Its query, body and response are in operations.ts, which the browser does not load. */
export const consolePaths = {
  session: "GET /api/console/session",
  signIn: "POST /api/console/sign-in",
  signOut: "POST /api/console/sign-out",
  startOidc: "GET /api/console/sign-in/oidc",
  finishOidc: "GET /api/console/sign-in/oidc/callback",
  requestReset: "POST /api/console/password/request-reset",
  reset: "GET /api/console/password/resets/:token",
  resetPassword: "POST /api/console/password/resets/:token",
  invitation: "GET /api/console/invitations/:token",
  acceptInvitation: "POST /api/console/invitations/:token/accept",

  openConnectRequest: "GET /api/console/connect/:uid",
  connectRequest: "GET /api/console/connect/:uid/request",
  decideConnectRequest: "POST /api/console/connect/:uid/request",

  accountSessions: "GET /api/console/account/sessions",
  revokeSession: "POST /api/console/account/sessions/:id/revoke",
  changePassword: "POST /api/console/account/password",
  changeProfile: "POST /api/console/account/profile",

  runTool: "POST /api/console/organizations/:organization/tools/:tool",
  changes: "GET /api/console/organizations/:organization/changes",
  keys: "GET /api/console/organizations/:organization/keys",
  key: "GET /api/console/organizations/:organization/keys/:key",
  connectedApps: "GET /api/console/organizations/:organization/apps",
  members: "GET /api/console/organizations/:organization/members",
  dashboard: "GET /api/console/organizations/:organization/dashboard",
  noteVisit: "POST /api/console/organizations/:organization/visits",
  events: "GET /api/console/organizations/:organization/events",
  proposals: "GET /api/console/organizations/:organization/proposals",
  conferences: "GET /api/console/organizations/:organization/conferences",
  posters: "GET /api/console/organizations/:organization/posters",
  links: "GET /api/console/organizations/:organization/links",
  search: "GET /api/console/organizations/:organization/search",
  uploadImage: "POST /api/console/organizations/:organization/images",
  activity: "GET /api/console/organizations/:organization/activity",
  exportActivity: "GET /api/console/organizations/:organization/activity/export",
  changeParts: "GET /api/console/organizations/:organization/activity/:record/parts",
  activityPeople: "GET /api/console/organizations/:organization/activity/people",
  hostCandidates: "GET /api/console/organizations/:organization/host-candidates",

  event: "GET /api/console/organizations/:organization/events/:event",
  eventSpeakers: "GET /api/console/organizations/:organization/events/:event/speakers",
  eventPosters: "GET /api/console/organizations/:organization/events/:event/posters",
  eventPictures: "GET /api/console/organizations/:organization/events/:event/pictures.zip",
  posterPreview: "GET /api/console/organizations/:organization/events/:event/poster-preview",
  runOfShow: "GET /api/console/organizations/:organization/events/:event/run-of-show",
  guestChanges: "GET /api/console/organizations/:organization/events/:event/guests/changes",
  guestSelection: "GET /api/console/organizations/:organization/events/:event/guests/selection",
  exportGuests: "GET /api/console/organizations/:organization/events/:event/guests.csv",
  guestCodes: "GET /api/console/organizations/:organization/events/:event/guests/codes",
  guestCode: "GET /api/console/organizations/:organization/events/:event/guests/:registration/code",
  door: "GET /api/console/organizations/:organization/events/:event/door",
  scanCode: "POST /api/console/organizations/:organization/events/:event/door/scan",
  doorLinks: "GET /api/console/organizations/:organization/events/:event/door-links",
  doorManifest: "GET /api/console/organizations/:organization/events/:event/door.webmanifest",

  openDoor: "POST /api/console/door",
  closeDoor: "POST /api/console/door/close",
  openedDoor: "GET /api/console/door",
  volunteerGuests: "GET /api/console/door/guests",
  volunteerChanges: "GET /api/console/door/guests/changes",
  volunteerGuest: "GET /api/console/door/guests/:registration",
  volunteerScan: "POST /api/console/door/scan",
  previewVolunteerCheckIn: "POST /api/console/door/check-ins/preview",
  volunteerCheckIn: "POST /api/console/door/check-ins",
  previewVolunteerWalkIn: "POST /api/console/door/walk-ins/preview",
  volunteerWalkIn: "POST /api/console/door/walk-ins",

  runAdminTool: "POST /api/console/admin/tools/:tool",
  adminChanges: "GET /api/console/admin/changes",
  uploadAdminImage: "POST /api/console/admin/images",
  adminOverview: "GET /api/console/admin/overview",
  adminConferences: "GET /api/console/admin/conferences",
  adminConference: "GET /api/console/admin/conferences/:id",
  adminEvents: "GET /api/console/admin/events",
  adminEvent: "GET /api/console/admin/events/:id",
  adminOrganizations: "GET /api/console/admin/organizations",
  adminOrganization: "GET /api/console/admin/organizations/:id",
  adminPeople: "GET /api/console/admin/people",
  adminInvitations: "GET /api/console/admin/invitations",
  adminKeys: "GET /api/console/admin/keys",
  adminRecords: "GET /api/console/admin/records",
  exportAdminRecords: "GET /api/console/admin/records/export",
} as const;

type Paths = typeof consolePaths;
export type OperationName = keyof Paths;

export type MethodOf<Name extends OperationName> = Paths[Name] extends `${infer Method} ${string}` ? Method : never;

/** The parameters in the path of an operation, each a string. */
export type PathParameters<Name extends OperationName> = { [Parameter in NamesIn<Paths[Name]>]: string };

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
