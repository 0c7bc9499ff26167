// The rooms of npm run test:mutation: which files are changed, and which tests count as theirs. A room has its own report,
// so that one can run without the others.

const src = 'packages/server/src'
const journeys = 'packages/server/test/journeys'

export const rooms = {
  /** What an event means for a payment and its money. Pure code, and pure tests: the fastest room. */
  decisions: {
    mutate: [
      `${src}/payments/{acceptance,idempotency,inquiry-schedule,payment,payment-posting,plan-event,plan-returns,report,transitions,unexpected-money}.ts`,
      `${src}/inbox/decision.ts`,
    ],
    tests: [
      `${src}/payments/{idempotency,inquiry-schedule,payment,plan-event,plan-returns,report,timeline,unexpected-money}.test.ts`,
      `${src}/inbox/decision.test.ts`,
    ],
  },
  /** What writes those meanings, and what asks providers. */
  recording: {
    mutate: [
      `${src}/payments/{charge-payment,event-batch,record-event,record-step,record-unclaimed,refresh-payment,resolve-payment}.ts`,
    ],
    tests: [
      `${src}/payments/*.test.ts`,
      `${journeys}/{challenged-payments,failover,resolve,unexpected-money,unknown-outcome}.test.ts`,
    ],
  },
  callbacks: {
    mutate: [
      `${src}/callbacks/{apply-callback,apply-together,find-payments,inquire-unreadable,message,receive-callback}.ts`,
    ],
    tests: [`${src}/callbacks/*.test.ts`],
  },
  ledger: {
    mutate: [`${src}/ledger/{entry-bytes,merkle,posting,prove-head,seal,seal-ledger,state-ledger}.ts`],
    tests: [`${src}/ledger/*.test.ts`, `${journeys}/ledger-seal.test.ts`],
  },
  webhooks: {
    mutate: [`${src}/webhooks/{deliver-webhooks,event,hold,lanes,redeliver-event,sign}.ts`],
    tests: [`${src}/webhooks/*.test.ts`, `${journeys}/{webhook,webhook-management}.test.ts`],
  },
  /** The contract tests of all providers are left out: they take a minute for every change. */
  providers: {
    mutate: [`${src}/providers/*/{messages,notification,report,translate}.ts`, `${src}/providers/lenient.ts`],
    tests: [`${src}/providers/*/*.test.ts`],
  },
}

/** The room to run, as named by MUTATION_ROOM. */
export function room() {
  const name = process.env.MUTATION_ROOM ?? ''
  const found = rooms[name]
  if (!found) throw new Error(`name a room: ${Object.keys(rooms).join(', ')} (got '${name}')`)
  return { name, ...found }
}
