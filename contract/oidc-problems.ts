/** Why an identity cannot be linked to a person, as the sign-in page explains it. */
export type LinkProblem = "oidc_unverified" | "oidc_unknown" | "oidc_other_account";

/** Why a sign-in at the issuer ended without a session, as the sign-in page explains it. */
export type OidcProblem = "oidc_unavailable" | "oidc_expired" | "oidc_failed" | LinkProblem;
