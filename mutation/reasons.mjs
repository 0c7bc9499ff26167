// Why a change may survive. A rule applies to the first change that it matches by file, line or text.

/** [file, part of `original → replacement` or line, reason] */
export const reasons = [
  ['inbox/decision.ts', 'amount !== undefined` → `true`', 'equivalent: undefined is not larger than any sum'],
  [
    'payments/idempotency.ts',
    'value === null` → `false`',
    'no field of an order is null after it was parsed',
  ],
  ['payments/idempotency.ts', 'a < b', 'equivalent: the keys of an object differ'],
  ['payments/inquiry-schedule.ts', 'now < payment.expiresAt', 'equivalent: both sides are the same time'],
  ['payments/inquiry-schedule.ts', 'one < other', 'equivalent: both sides are the same time'],
  ['payments/payment-posting.ts', 'default:', 'equivalent: the function returns undefined at its end'],
  ['payments/report.ts', "case 'unproven':", 'equivalent: the function returns undefined at its end'],
  ['payments/plan-event.ts', "event.type === 'paid'` → `true`", 'equivalent: only paid has an acceptedId'],
  ...["payment.status !== 'paid'", 'payment.amountPaid === null'].map(part => [
    'payments/plan-event.ts',
    part,
    'equivalent: a payment is paid exactly when it has a paid amount (a constraint of the table)',
  ]),
  ['payments/plan-event.ts', 'amountPaid === null', 'equivalent: no sum is below a paid amount of null'],
  [
    'payments/plan-event.ts',
    'reversal',
    'equivalent: the round of a reversal is always earlier than the present one',
  ],
  [
    'payments/plan-event.ts',
    "event.type !== 'paid'",
    'equivalent: a part of the present round never exceeds the paid amount',
  ],
  ['payments/plan-returns.ts', 'rank[', 'equivalent: equal ranks are the same status'],
  ['payments/plan-returns.ts', 'amount !== null', 'equivalent: null is not larger than zero'],
  ['payments/plan-returns.ts', '=== null', 'equivalent: null compares as zero, and amounts are positive'],
  ['payments/plan-returns.ts', 'a > b', 'equivalent: the amounts are the same'],
  [
    'payments/transitions.ts',
    "event.type === 'underpaid'",
    'equivalent: only a part has a received sum to compare',
  ],
  [
    'payments/transitions.ts',
    "payment.status !== 'paid'",
    'equivalent: the closing fields replace the learnt ones',
  ],
  ['payments/transitions.ts', 'default:', 'equivalent: spreading undefined adds nothing'],
  ['payments/transitions.ts', 'known === null', 'equivalent: every sum is larger than null'],
  ['payments/transitions.ts', "event.type !== 'paid'", 'a guard: the table lets no other event reach it'],
  [
    'ledger/merkle.ts',
    'left.size',
    'equivalent: only equality of sizes matters, and halves of equal trees are equal',
  ],
  ['webhooks/lanes.ts', ':40 ', 'which of two ready queues starts has no effect on money or on limits'],
  ['webhooks/lanes.ts', ':112 ', 'a guard: a ready lane has something to attempt'],
  ['webhooks/lanes.ts', ':120 ', 'order of turns between silent receivers only'],
  [
    'webhooks/sign.ts',
    '',
    'the cache of keys: the runner repeats a test in one process, so the cache is filled before a change is on',
  ],
  ['providers/lenient.ts', 'issue?.', 'equivalent: a failed parse has at least one issue'],
  ['providers/xendit/translate.ts', 'captures.at(-1)', 'equivalent: the list is not empty there'],
  ['providers/', 'text === undefined', 'equivalent: the pattern does not match the text "undefined"'],
  ['providers/', 'seconds !== undefined', 'equivalent: the pattern does not match the text "undefined"'],
]

/** Of a line as list-survivors.mjs writes it. */
export const reasonFor = (file, text) =>
  reasons.find(([path, part]) => file.startsWith(path) && text.includes(part))?.[2] ?? 'not examined yet'
