// The pages of the documentation, in the order in which a reader meets them. Only what is listed here is served.

export type Page = {
  /** The last part of its address, /docs/<slug>. */
  slug: string
  /** Its Markdown, from the root of the repository. */
  file: string
  /** In the navigation; the page's own heading may say more. */
  label: string
  about: string
}
export type Section = { title: string; pages: readonly Page[] }

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
    title: 'Start',
    pages: [
      guide('quick-start', 'Quick start', 'From nothing to a paid payment and a verified webhook.'),
      {
        slug: 'sdk',
        file: 'packages/sdk/README.md',
        label: 'TypeScript SDK',
        about: 'Typed payments, errors, retries, lists and webhooks.',
      },
      {
        slug: 'cli',
        file: 'packages/cli/README.md',
        label: 'Command line',
        about: 'Everything that the API does, from a terminal.',
      },
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('payment-states', 'Payment states', 'What a payment can become, and who makes it so.'),
      guide('idempotency', 'Idempotency', 'Never charging twice, whatever breaks.'),
      guide('webhooks', 'Webhooks', 'Events, signatures, retries and their order.'),
      guide('webhook-recipes', 'Webhook recipes', 'Receivers for Express, Fastify, Koa, Hono and Next.'),
      guide('dashboard', 'The dashboard', 'Pages for merchants, resellers and the operator.'),
      guide('going-live', 'Going live', 'What to settle before the first real rupiah.'),
      guide('versioning', 'Versioning', 'What may change below /v1, and what never does.'),
    ],
  },
  {
    title: 'Operating',
    pages: [
      guide('deploy', 'Deploy', 'The image, compose and Kubernetes.'),
      guide('scaling', 'Scaling', 'Several processes on one database.'),
      guide('observability', 'Observability', 'Metrics, alerts, logs and traces.'),
      guide('backup', 'Backup', 'What to keep together, and how to restore it.'),
      guide(
        'verifying-the-ledger',
        'Verifying the ledger',
        'Finding out that somebody changed what was posted.',
      ),
      guide('retention', 'Retention', 'What is kept, how long, and what is personal in it.'),
      guide('key-rotation', 'Key rotation', 'Secrets, keys and credentials, without an interruption.'),
      guide('upgrade', 'Upgrade', 'From one version to the next.'),
      internal('overload', 'Overload', 'What is bounded, by how much, and what happens beyond.'),
      internal('provider-checks', 'Provider checks', 'When providers are asked about open payments.'),
      internal(
        'provider-messages',
        'Provider messages',
        'Which fields decide, and what becomes of a message that cannot be read.',
      ),
      internal('provider-health', 'Provider health', 'Which provider accounts are avoided, and since when.'),
      internal(
        'reconciliation',
        'Reconciliation',
        'A day’s payments and ledger against the providers’ word.',
      ),
      internal('unexpected-money', 'Unexpected money', 'Money that arrives otherwise than was agreed.'),
    ],
  },
  {
    title: 'Project',
    pages: [
      internal('architecture', 'Architecture', 'How a payment flows, and where everything is.'),
      internal('invariants', 'Money invariants', 'What is always true of money, and what enforces it.'),
      internal('reliability', 'Reliability', 'What is broken on purpose, and what holds all the same.'),
      internal('performance', 'Performance', 'Where the time goes, what was tried, and what it gave.'),
      guide('adding-a-provider', 'Adding a provider', 'An adapter, from the port to the contract suite.'),
      guide('writing-migrations', 'Writing migrations', 'New tables under processes that are at work.'),
      root('changelog', 'Changelog', 'What merchants and operators notice, version by version.'),
      root('contributing', 'Contributing', 'How a change is made, tested and reviewed.'),
      {
        slug: 'threat-model',
        file: 'docs/security.md',
        label: 'Threat model',
        about: 'Who could attack what, and which test holds against it.',
      },
      root('security', 'Security', 'What is guarded how, and where to report a weakness.'),
    ],
  },
]

export const pages: readonly Page[] = sections.flatMap(section => section.pages)
