import { expect, test } from 'vitest'
import { addressOf } from './link.ts'

const here = 'docs/guides/webhooks.md'

test.each([
  ['idempotency.md', '/docs/idempotency'],
  ['./idempotency.md#a-time-out', '/docs/idempotency#a-time-out'],
  ['../architecture.md', '/docs/architecture'],
  ['../../packages/sdk/README.md#errors', '/docs/sdk#errors'],
  ['../../README.md', '/docs'],
  ['../../openapi/openapi.json', '/openapi.json'],
  ['#signatures', '#signatures'],
  ['/docs/reference', '/docs/reference'],
  ['/docs/reference#tag/payments', '/docs/reference#tag/payments'],
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['mailto:security@example.com', 'mailto:security@example.com'],
])('the link %s in a guide’s Markdown becomes the address %s', (href, address) => {
  expect(addressOf(href, here)).toBe(address)
})

test.each([
  ['a source file', '../../packages/server/src/main.ts'],
  ['a page that is not listed', '../decisions/0012-sessions-and-api-keys.md'],
  ['a script', 'javascript:alert(1)'],
  ['a script in capitals', 'JavaScript:alert(1)'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['another place of this service', '/v1/payments'],
  ['another host', '//example.com/docs'],
  ['a path that only starts like the documentation', '/docsy'],
])('a Markdown link to %s does not become a link in the documentation', (_, href) => {
  expect(addressOf(href, here)).toBeUndefined()
})
