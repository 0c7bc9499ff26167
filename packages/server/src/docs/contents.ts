// The documentation pages in reading order. Only the pages listed here are served.

export type Page = {
  /** The last part of the page's address, /docs/<slug>. */
  slug: string
  /** The path of the page's Markdown file, relative to the repository root. */
  file: string
  /** The page's label in the navigation. The page's heading may be longer. */
  label: string
  about: string
}
export type Audience = 'merchants' | 'operators' | 'contributors'
export type Section = { audience: Audience; pages: readonly Page[] }

const guide = (slug: string, label: string, about: string): Page => ({
  slug,
  file: `docs/guides/${slug}.md`,
  label,
  about,
})
const internal = (slug: string, label: string, about: string): Page => ({
  ...guide(slug, label, about),
  file: `docs/${slug}.md`,
})

const root = (slug: string, label: string, about: string): Page => ({
  ...guide(slug, label, about),
  file: `${slug.toUpperCase()}.md`,
})

export const sections: readonly Section[] = [
  {
    audience: 'merchants',
    pages: [
      guide(
        'quick-start',
        'Quick start',
        'Create a payment, have it paid and verify its webhook, starting from nothing.',
      ),
      {
        slug: 'sdk',
        file: 'packages/sdk/README.md',
        label: 'TypeScript SDK',
        about: 'Use typed payments, errors, retries, lists and webhooks in TypeScript.',
      },
      guide('python', 'Python', 'Accept payments with a generated client, and verify webhooks.'),
      guide(
        'php',
        'PHP',
        'Accept payments with a generated client, and verify webhooks, with or without Laravel.',
      ),
      guide('go', 'Go', 'Accept payments with a generated client, and verify webhooks.'),
      guide('java', 'Java', 'Accept payments with a generated client, and verify webhooks.'),
      {
        slug: 'cli',
        file: 'packages/cli/README.md',
        label: 'Command line',
        about: 'Use every operation of the API from a terminal.',
      },
      guide(
        'payment-states',
        'Payment states',
        'The states of a payment, and what causes each change from one state to another.',
      ),
      guide('refunds', 'Refunds', 'Return money to the payer, through the provider or by bank transfer.'),
      guide(
        'idempotency',
        'Idempotency',
        'Safely retry a request that creates a payment, without charging the payer twice.',
      ),
      guide('webhooks', 'Webhooks', 'Webhook events, signatures, retries and ordering.'),
      guide(
        'webhook-recipes',
        'Webhook recipes',
        'Webhook receivers for Express, Fastify, Koa, Hono and Next.',
      ),
      guide(
        'dashboard',
        'The dashboard',
        'What merchants, resellers and the operator can do on the dashboard.',
      ),
      guide('going-live', 'Going live', 'A checklist before you accept live payments.'),
      guide(
        'versioning',
        'Versioning',
        'Which changes to /v1 are compatible, and how parts of the API are retired.',
      ),
    ],
  },
  {
    audience: 'operators',
    pages: [
      guide('deploy', 'Deploy', 'Deploy with containers, on Kubernetes or from a Git checkout.'),
      guide('configuration', 'Configuration', 'Environment variables and the gapura-server command.'),
      guide('onboarding', 'Onboard a merchant', 'Onboard a new merchant, up to a paid test payment.'),
      guide('scaling', 'Scaling', 'Run several processes on one database.'),
      guide('observability', 'Observability', 'Monitor the service with metrics, alerts, logs and traces.'),
      guide('backup', 'Backup', 'What to back up and how to restore it.'),
      guide('failover', 'Failover', 'Use a synchronous standby, promote it, and handle damaged pages.'),
      guide(
        'verifying-the-ledger',
        'Verifying the ledger',
        'How to detect whether posted ledger entries were changed.',
      ),
      guide('retention', 'Retention', 'Which data is stored, for how long, and which of it is personal.'),
      guide('key-rotation', 'Key rotation', 'Rotate secrets, keys and credentials without downtime.'),
      guide('upgrade', 'Upgrade', 'Upgrade the service from one version to the next.'),
      internal('overload', 'Overload', 'Limits, load shedding and fairness between tenants.'),
      internal('provider-checks', 'Provider checks', 'When the service polls providers about open payments.'),
      internal(
        'provider-messages',
        'Provider messages',
        "Which fields of a provider's message determine its meaning, and how unreadable messages are handled.",
      ),
      internal(
        'provider-health',
        'Provider health',
        'How circuit breakers keep charges away from failing provider accounts.',
      ),
      internal(
        'reconciliation',
        'Reconciliation',
        'Compare a day’s payments and ledger entries with the providers’ records.',
      ),
      internal(
        'unexpected-money',
        'Unexpected money',
        'Money that was received but matches no open payment.',
      ),
    ],
  },
  {
    audience: 'contributors',
    pages: [
      internal(
        'architecture',
        'Architecture',
        'How a payment flows through the code, and where each part is.',
      ),
      internal(
        'database-access',
        'Database access',
        'Connection pools, tenant scope, batched statements and the configuration cache.',
      ),
      internal(
        'invariants',
        'Money invariants',
        'Rules about money that always hold, and what enforces them.',
      ),
      internal(
        'webhook-delivery',
        'Webhook delivery',
        'How events are delivered to webhook endpoints: queues, leases, fairness between tenants, retries and failures.',
      ),
      internal('reliability', 'Reliability', 'Fault-injection tests and their results.'),
      internal('performance', 'Performance', 'Measurements, experiments and their results.'),
      guide('adding-a-provider', 'Adding a provider', 'Write an adapter for a payment provider.'),
      guide(
        'writing-migrations',
        'Writing migrations',
        'How to change the database schema while the previous release is still running.',
      ),
      root('changelog', 'Changelog', 'What changes for merchants and operators in each version.'),
      root('contributing', 'Contributing', 'How to make, test and review a change.'),
      {
        slug: 'threat-model',
        file: 'docs/security.md',
        label: 'Threat model',
        about: 'Threats, the defenses against them, and the tests that cover these defenses.',
      },
      root('security', 'Security', 'Security measures and how to report a vulnerability.'),
    ],
  },
]

export const pages: readonly Page[] = sections.flatMap(section => section.pages)
