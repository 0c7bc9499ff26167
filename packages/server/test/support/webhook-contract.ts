// Checks that every webhook a test receives matches the webhooks in the OpenAPI document.

import { document, faultsOf, pointerTo, validatorAt } from './contract.ts'

type Webhook = { post: { parameters: { $ref: string }[] } }
type Parameter = { name: string; required: boolean }

const { webhooks, components } = document as unknown as {
  webhooks: Record<string, Webhook>
  components: { parameters: Record<string, Parameter> }
}

/** Throws if a delivery's event has an undocumented type, does not match its schema, or lacks a documented header. */
export function holdWebhookAgainstDocument({
  headers,
  body,
}: {
  headers: Record<string, string>
  body: { type: string }
}): void {
  const { type } = body
  const webhook = webhooks[type]
  if (!webhook) throw new Error(`a webhook of the type ${type} is not documented`)
  for (const { $ref } of webhook.post.parameters) {
    const { name } = components.parameters[$ref.split('/').at(-1) ?? ''] as Parameter
    if (!headers[name.toLowerCase()]) throw new Error(`a webhook of type ${type} lacks the header ${name}`)
  }
  const validator = validatorAt(
    pointerTo('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'),
  )
  if (!validator(body))
    throw new Error(
      `the body of the webhook ${type} does not match the API document: ${faultsOf(validator)}\n${JSON.stringify(body)}`,
    )
}
