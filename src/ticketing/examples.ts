/** One request and response of each call, without the event id. The tests send every request to the sandbox. */

const guest = {
  id: "gst-306b2917dd35d83",
  api_id: "gst-306b2917dd35d83",
  user_id: "usr-c828d6b93b6a39e",
  user_email: "bo@example.com",
  user_name: "Bo Li",
  user_first_name: "Bo",
  user_last_name: "Li",
  approval_status: "pending_approval",
  check_in_qr_code: "https://luma.example.com/check-in/evt-7Yx2kQpLmN?pk=g-cf621f688903b9e",
  invited_at: null,
  joined_at: null,
  registered_at: "2030-11-03T10:00:00.000Z",
  registration_answers: [],
  phone_number: null,
  utm_source: null,
  event_tickets: [
    {
      id: "tkt-f69d9fdeda7b400",
      name: "Full pass",
      amount: 49_000,
      amount_discount: 0,
      amount_tax: 0,
      currency: "eur",
      checked_in_at: null,
      event_ticket_type_id: "evtticktyp-f08515fb668a562",
      is_captured: true,
    },
  ],
  checked_in_at: null,
};

const order = {
  id: "ord-f69d9fdeda7b400",
  amount: 49_000,
  amount_discount: 0,
  amount_tax: 0,
  currency: "eur",
  is_captured: true,
  event_ticket_type_id: "evtticktyp-f08515fb668a562",
};

const fullPass = {
  id: "evtticktyp-f08515fb668a562",
  name: "Full pass",
  type: "paid",
  cents: 49_000,
  currency: "eur",
  require_approval: false,
  is_hidden: false,
  description: null,
  valid_start_at: null,
  valid_end_at: null,
  max_capacity: null,
  is_flexible: false,
  min_cents: null,
};
const student = {
  ...fullPass,
  id: "evtticktyp-d504f874cf88a40",
  name: "Student",
  type: "free",
  cents: null,
  currency: null,
};
const dayPass = { ...fullPass, id: "evtticktyp-a7291cc2853aa6a", name: "Day pass", cents: 19_000 };

const coupon = {
  id: "cpn-2ce267fee0e8862",
  code: "EARLYBIRD",
  remaining_count: 40,
  valid_start_at: null,
  valid_end_at: null,
  percent_off: 15,
  cents_off: null,
  currency: null,
};

export const examples = {
  getEvent: {
    request: {},
    response: {
      event: {
        id: "evt-7Yx2kQpLmN",
        api_id: "evt-7Yx2kQpLmN",
        calendar_id: "cal-Sandbox",
        user_id: "usr-b41c54cb260d61d",
        name: "Opening keynote",
        start_at: "2031-05-01T09:30:00.000Z",
        end_at: "2031-05-01T10:45:00.000Z",
        duration_interval: "PT1H15M",
        created_at: "2030-11-01T10:00:00.000Z",
        timezone: "Europe/Lisbon",
        description: "What lasts, and why.",
        description_md: "What lasts, and why.",
        geo_address_json: { full_address: "Rua do Cais 12, Lisbon" },
        coordinate: null,
        meeting_url: null,
        cover_url: null,
        url: "https://luma.example.com/evt-7Yx2kQpLmN",
        visibility: "public",
        registration_questions: [],
      },
      hosts: [
        {
          id: "usr-b41c54cb260d61d",
          api_id: "usr-b41c54cb260d61d",
          name: "Harbor Labs",
          email: "hello@harbor.example.com",
          avatar_url: null,
        },
      ],
    },
  },
  getGuests: {
    request: { approval_status: "pending_approval", pagination_limit: "1" },
    response: { entries: [{ ...guest, guest }], has_more: false },
  },
  getGuest: {
    request: { email: "bo@example.com" },
    response: { guest: { ...guest, event_ticket_orders: [order] } },
  },
  addGuests: {
    request: {
      guests: [{ email: "cy@example.com", name: "Cy Ng" }],
      ticket: { event_ticket_type_id: fullPass.id },
    },
    response: {},
  },
  updateGuestStatus: {
    request: { guest: { type: "email", email: "bo@example.com" }, status: "approved" },
    response: {},
  },
  listTicketTypes: { request: {}, response: { ticket_types: [fullPass, student] } },
  getTicketType: { request: { event_ticket_type_id: fullPass.id }, response: { ticket_type: fullPass } },
  createTicketType: {
    request: { name: "Day pass", type: "paid", cents: 19_000, currency: "eur" },
    response: { ticket_type: dayPass },
  },
  updateTicketType: {
    request: { event_ticket_type_id: dayPass.id, cents: 17_500 },
    response: { ticket_type: { ...dayPass, cents: 17_500 } },
  },
  deleteTicketType: { request: { event_ticket_type_id: dayPass.id }, response: {} },
  listCoupons: { request: {}, response: { entries: [coupon], has_more: false } },
  createCoupon: {
    request: {
      code: "FRIENDS",
      remaining_count: 20,
      discount: { discount_type: "amount", cents_off: 2_000, currency: "eur" },
    },
    response: {
      coupon: {
        ...coupon,
        id: "cpn-4dfb70442c2ad4f",
        code: "FRIENDS",
        remaining_count: 20,
        percent_off: null,
        cents_off: 2_000,
        currency: "eur",
      },
    },
  },
  updateCoupon: { request: { code: "FRIENDS", remaining_count: 0 }, response: {} },
} as const;
