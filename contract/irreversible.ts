/**
 * The changes that cannot be reverted, by the name of their tool or its beginning: why, and what to do instead. All other tools
 * of the registry can be.
 */
export const irreversible: Readonly<Record<string, string>> = {
  set_event_primary_host:
    "only the host decides who hosts an event; the host hands the event over, or withdraws an offer, with set_event_primary_host",
  host_offer_received: "the other organization made the offer; accept or decline it with set_event_primary_host",
  host_offer_withdrawn: "the other organization decided it; only the host of the event can offer it again",
  propose_event: "the platform's administrators have been asked; withdraw the proposal with cancel_event",
  duplicate_event: "the platform's administrators have been asked; withdraw the copy with cancel_event",
  resubmit_event_proposal: "the platform's administrators have been asked; withdraw the proposal with cancel_event",
  return_event_proposal: "the organizers have been told; they change the proposal, or an administrator approves it",
  create_api_key: "a key may be in use; revoke it on the page API keys",
  rotate_api_key: "the old key is not known any more; create a new one on the page API keys",
  revoke_api_key: "a revoked key never works again; create a new one on the page API keys",
  connect_app: "disconnect the app on the page Connected apps",
  disconnect_app: "its tokens never work again; connect the app anew in the app itself",
  create_door_link: "the link was shown; revoke it under Door links on the page Guests of the event",
  revoke_door_link: "its link never works again; create another one under Door links on the page Guests of the event",
  invite_member: "the invitation was sent; withdraw it on the page People, under Settings",
  withdraw_invitation: "its link never works again; invite the person anew on the page People, under Settings",
  set_member_role: "only people change roles; set the role on the page People, under Settings",
  remove_member:
    "the person's keys and sessions have ended; invite the person again on the page People, under Settings",
  leave_organization: "only an owner lets people in; invite the person again on the page People, under Settings",
  create_reset_link: "the link was shown; create another one, which ends it, or let it expire",
  create_conference: "only platform administrators change conferences",
  update_conference: "only platform administrators change conferences",
  set_conference_status: "only platform administrators change conferences",
  create_organization: "only platform administrators make organizations",
  update_organization: "a platform administrator made it; owners change it with update_organization_profile",
  create_event: "only platform administrators make events; cancel it with cancel_event",
  update_event: "a platform administrator made it; change it with update_event_details",
  set_event_status: "a platform administrator made it; change the status with update_event_details",
  set_event_ticketing_link: "only platform administrators link events to the ticketing platform",
  set_event_host: "a platform administrator made it; ask one to change the host",
  create_platform_key: "only platform administrators make such keys",
  set_platform_key_expiry: "only platform administrators change such keys",
  revoke_platform_key: "a revoked key never works again",
  invite_person: "the invitation was sent; a platform administrator can withdraw it",
  set_platform_admin: "only platform administrators change it",
  remove_person: "the person's account is gone; invite the person again",
  patch_poster:
    "posting agents report links; send PATCH /api/svc/posters/{id} with the right link, or null to remove one",
  "ticketing:": "it was made on the ticketing platform; change it there, through /api/ticketing/",
  "svc:": "it was made at the command line; ask an operator",
};

/** Why a change by this tool cannot be reverted; undefined where it can. */
export function reasonAgainst(tool: string): string | undefined {
  const family = /^[a-z]+:/.exec(tool)?.[0] ?? "";
  return Object.hasOwn(irreversible, tool) ? irreversible[tool] : irreversible[family];
}
