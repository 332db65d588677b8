/** The platform's records, as it stores and returns them. Amounts are in minor units, currencies in lower case. */

export const approvalStatuses = ["approved", "session", "pending_approval", "invited", "declined", "waitlist"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export type PlatformEvent = {
  id: string;
  api_id: string;
  calendar_id: string;
  user_id: string;
  name: string;
  start_at: string;
  end_at: string;
  duration_interval: string;
  created_at: string;
  timezone: string;
  description: string | null;
  description_md: string | null;
  geo_address_json: { full_address: string } | null;
  coordinate: { latitude: number; longitude: number } | null;
  meeting_url: string | null;
  cover_url: string | null;
  url: string;
  visibility: "public" | "members-only" | "private";
  registration_questions: { id: string; label: string; question_type: string; required: boolean }[];
};

export type PlatformHost = {
  id: string;
  api_id: string;
  name: string;
  email: string | null;
  avatar_url: string | null;
};

export type PlatformTicket = {
  id: string;
  name: string;
  amount: number;
  amount_discount: number;
  amount_tax: number;
  currency: string | null;
  checked_in_at: string | null;
  event_ticket_type_id: string;
  is_captured: boolean;
};

export type PlatformGuest = {
  id: string;
  api_id: string;
  user_id: string;
  user_email: string;
  user_name: string | null;
  user_first_name: string | null;
  user_last_name: string | null;
  approval_status: ApprovalStatus;
  /** A credential: it admits whoever presents it. */
  check_in_qr_code: string;
  invited_at: string | null;
  joined_at: string | null;
  registered_at: string | null;
  registration_answers: { question_id: string; label: string; value: unknown }[];
  phone_number: string | null;
  utm_source: string | null;
  event_tickets: PlatformTicket[];
  checked_in_at: string | null;
};

export type PlatformTicketType = {
  id: string;
  name: string;
  type: "free" | "paid";
  cents: number | null;
  currency: string | null;
  require_approval: boolean;
  is_hidden: boolean;
  description: string | null;
  valid_start_at: string | null;
  valid_end_at: string | null;
  max_capacity: number | null;
  is_flexible: boolean;
  min_cents: number | null;
};

export type PlatformCoupon = {
  id: string;
  code: string;
  remaining_count: number;
  valid_start_at: string | null;
  valid_end_at: string | null;
  percent_off: number | null;
  cents_off: number | null;
  currency: string | null;
};

/** An e-mail that the real platform would have sent. */
export type OutboxMail = { id: string; sent_at: string; event_id: string; to: string; kind: string; subject: string };
