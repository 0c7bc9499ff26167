// Calls the operations for additional webhook endpoints (used by operations.heavy.test.ts). Also prepares the data
// for the API examples of these operations (example-scenes.ts).

import { exampleId } from '../../src/openapi/example-parts.ts'
import { newId } from '../../src/values/id.ts'
import type { Call } from '../support/management-api.ts'
import { type Answer, until } from '../support/merchant.ts'
import { receiverUrl } from '../support/receiver-url.ts'
import type { Stage } from './example-scenes.ts'

const ENDPOINTS = '/v1/webhook-endpoints'

/**
 * Creates an endpoint in test mode and returns its id. Unless `extra` contains a URL, the endpoint's URL belongs to a
 * receiver that accepts every event.
 */
export async function newEndpoint(client: Call, extra: object = {}): Promise<string> {
  const { data, text } = await client('POST', ENDPOINTS, {
    ...{ mode: 'test', url: (await receiverUrl()) + newId() },
    ...extra,
  })
  if (!data) throw new Error(text)
  return data.id
}

/** Waits until an endpoint has received an event, and returns the event's id. */
export async function deliveredTo(client: Call, endpointId: string): Promise<string> {
  const delivery = await until('an event is delivered', async () => {
    const { data } = await client('GET', `${ENDPOINTS}/${endpointId}/deliveries`)
    return data.items[0]?.status === 'delivered' && data.items[0]
  })
  return delivery.id
}

type Callers = {
  client: Call
  /** Creates a payment and waits until it is paid. */
  pay: () => Promise<{ id: string }>
}

/**
 * Maps each operation ID to a function that calls the operation. `to` is a function that returns the callers, because
 * they log in only after this map is created.
 */
export const endpointCalls = (to: () => Callers): Record<string, () => Promise<Answer>> => {
  /**
   * Creates an endpoint for one call and deletes it after the call, because a tenant can have only ten
   * endpoints in each mode.
   */
  async function withEndpoint(call: (path: string, id: string) => Promise<Answer>): Promise<Answer> {
    const id = await newEndpoint(to().client)
    const path = `${ENDPOINTS}/${id}`
    const answer = await call(path, id)
    await to().client('DELETE', path)
    return answer
  }
  const withDelivery = (call: (path: string) => Promise<Answer>) =>
    withEndpoint(async (path, id) => {
      await to().pay()
      return call(`${path}/deliveries/${await deliveredTo(to().client, id)}`)
    })
  return {
    listWebhookEndpoints: () => withEndpoint(() => to().client('GET', `${ENDPOINTS}?mode=test&limit=1`)),
    createWebhookEndpoint: () =>
      to().client('POST', ENDPOINTS, { mode: 'live', url: `http://127.0.0.1:9/${newId()}` }),
    getWebhookEndpoint: () => withEndpoint(path => to().client('GET', path)),
    updateWebhookEndpoint: () => withEndpoint(path => to().client('PATCH', path, { schedule: 'long' })),
    deleteWebhookEndpoint: async () =>
      to().client('DELETE', `${ENDPOINTS}/${await newEndpoint(to().client)}`),
    rotateWebhookEndpointSecret: () => withEndpoint(path => to().client('POST', `${path}/rotate-secret`)),
    listWebhookEndpointDeliveries: () =>
      withDelivery(path => to().client('GET', path.slice(0, path.lastIndexOf('/')))),
    getWebhookEndpointDelivery: () => withDelivery(path => to().client('GET', path)),
    redeliverToWebhookEndpoint: () => withDelivery(path => to().client('POST', `${path}/redeliver`)),
  }
}

/** The field values of the webhook endpoint in the API document's examples. */
const chosen = {
  mode: 'test',
  url: 'https://shop.example.com/hooks/gapura',
  description: 'Accounting system',
  event_types: ['payment.paid', 'payment.refunded'],
  schedule: 'long',
}

export function endpointScenes(paid: (scene: Stage) => Promise<void>) {
  const create = async (scene: Stage, extra: object = {}) => {
    scene.real[exampleId(41)] = await newEndpoint(scene.asUser, { ...chosen, ...extra })
  }
  async function delivered(scene: Stage): Promise<void> {
    await create(scene, { url: await receiverUrl() })
    await paid(scene)
    scene.real[exampleId(2)] = await deliveredTo(scene.asUser, scene.real[exampleId(41)] ?? '')
  }
  const path = (scene: Stage) => `${ENDPOINTS}/${scene.real[exampleId(41)]}`
  return {
    listWebhookEndpoints: create,
    getWebhookEndpoint: create,
    updateWebhookEndpoint: create,
    deleteWebhookEndpoint: create,
    rotateWebhookEndpointSecret: create,
    listWebhookEndpointDeliveries: delivered,
    getWebhookEndpointDelivery: delivered,
    redeliverToWebhookEndpoint: delivered,
    async 'ten endpoints'(scene: Stage) {
      for (let n = 0; n < 10; n++) await newEndpoint(scene.asUser)
    },
    async 'two endpoints'(scene: Stage) {
      await create(scene)
      await create(scene, { url: 'https://erp.example.com' })
    },
    async 'an endpoint whose secret was rotated'(scene: Stage) {
      await create(scene)
      await scene.asUser('POST', `${path(scene)}/rotate-secret`)
    },
    async 'an event that no endpoint accepts'(scene: Stage) {
      await create(scene, { url: 'http://127.0.0.1:9/' })
      await paid(scene)
      const { data } = await scene.asUser('GET', `${path(scene)}/deliveries`)
      scene.real[exampleId(2)] = data.items[0].id
    },
    async 'an endpoint that is disabled'(scene: Stage) {
      await delivered(scene)
      await scene.asUser('PATCH', path(scene), { enabled: false })
    },
  }
}
