/** Why a request of an app to be connected cannot be decided, as the page explains it. */
export const connectProblems = {
  expired: "This request has expired, or was begun in another browser. Start again in the app.",
  unknown_app:
    "This app is not known here, or its description cannot be read. Remove the connection in the app, and add it again.",
  wrong_address:
    "The app wants to return to an address that it has not registered, so nothing is sent there. Tell its developer.",
  wrong_request: "The app's request is not valid, so nothing was connected. Tell its developer.",
  failed: "Something went wrong here. Start again in the app; if it happens again, tell whoever runs this service.",
} as const;

export type ConnectProblem = keyof typeof connectProblems;
