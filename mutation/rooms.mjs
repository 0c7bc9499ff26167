// The rooms of npm run test:mutation: which files are changed, and which tests count as theirs. Each room has its own
// report, so one room can run without the others.

const src = 'packages/server/src'

export const rooms = {
  /** What an event means for a payment and its money. Pure code, and pure tests: the fastest room. */
  decisions: {
    mutate: [
      `${src}/payments/{acceptance,idempotency,inquiry-schedule,payment,payment-posting,plan-event,plan-returns,plan-reversal,report,transitions,unexpected-money}.ts`,
      `${src}/inbox/decision.ts`,
    ],
    tests: [
      `${src}/payments/{idempotency,inquiry-schedule,payment,payment-posting,plan-event,plan-returns,plan-reversal,report,transitions,unexpected-money}.test.ts`,
      `${src}/inbox/decision.test.ts`,
    ],
  },
  ledger: {
    mutate: [`${src}/ledger/{entry-bytes,merkle,seal}.ts`],
    tests: [`${src}/ledger/{merkle,seal}.test.ts`],
  },
  webhooks: {
    mutate: [`${src}/webhooks/{lanes,sign}.ts`],
    tests: [`${src}/webhooks/{lanes,sign}.test.ts`],
  },
  /** Without the contract tests of all providers: each of those sends requests to a server of its own. */
  providers: {
    mutate: [`${src}/providers/*/{messages,notification,report,translate}.ts`, `${src}/providers/lenient.ts`],
    tests: [`${src}/providers/lenient.test.ts`, `${src}/providers/*/*.test.ts`],
  },
}

/** The room to run, as named by MUTATION_ROOM. */
export function room() {
  const name = process.env.MUTATION_ROOM ?? ''
  const found = rooms[name]
  if (!found) throw new Error(`name a room: ${Object.keys(rooms).join(', ')} (got '${name}')`)
  return { name, ...found }
}
