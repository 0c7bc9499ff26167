// Examples for the API document: operations on additional webhook endpoints and on their deliveries.

import { deliveryExample, sentDeliveryExample } from './delivery-examples.ts'
import type { Example } from './example-parts.ts'
import { at, callbackUrl, exampleId, page, webhookSecret } from './example-parts.ts'

const listed = {
  id: exampleId(41),
  mode: 'test',
  url: callbackUrl,
  description: 'Accounting system',
  event_types: ['payment.paid', 'payment.refunded'],
  schedule: 'long',
  enabled: true,
  previous_secret_expires_at: null,
  created_at: at,
}
const endpoint = { ...listed, secret: webhookSecret }
const choices = {
  mode: listed.mode,
  url: listed.url,
  description: listed.description,
  event_types: listed.event_types,
  schedule: listed.schedule,
}

const urlInUse = 'url: is already the URL of another webhook endpoint in this mode'
const endpointMissing = `webhook endpoint ${exampleId(41)} not found`
const eventMissing = `webhook event ${exampleId(2)} not found`
const deliveryFailures = { NOT_FOUND: [endpointMissing, eventMissing] }

export const webhookEndpointExamples: Record<string, Example> = {
  listWebhookEndpoints: { query: { mode: { test_mode: 'test' } }, response: page(listed) },
  createWebhookEndpoint: {
    request: { chosen_events: choices },
    response: endpoint,
    failures: {
      BAD_REQUEST: ['url: must begin with https://'],
      CONFLICT: [urlInUse, 'there are already 10 webhook endpoints in test mode; delete one first'],
    },
  },
  getWebhookEndpoint: { response: endpoint },
  updateWebhookEndpoint: {
    request: { pause: { enabled: false }, all_events: { event_types: [] } },
    responses: { pause: { ...endpoint, enabled: false }, all_events: { ...endpoint, event_types: [] } },
    failures: { BAD_REQUEST: ['url: must begin with https://'], CONFLICT: [urlInUse] },
  },
  deleteWebhookEndpoint: { response: listed },
  rotateWebhookEndpointSecret: {
    request: { keep_previous: {}, leaked_secret: { revoke_previous: true } },
    responses: {
      keep_previous: { ...endpoint, previous_secret_expires_at: '2026-11-21T03:04:05.678Z' },
      leaked_secret: endpoint,
    },
    failures: {
      CONFLICT: [
        'the previous webhook secret is active until 2026-11-21T03:04:05.678Z; wait until then, or send revoke_previous: true to revoke it now',
      ],
    },
  },
  listWebhookEndpointDeliveries: {
    response: page(deliveryExample),
  },
  getWebhookEndpointDelivery: { response: sentDeliveryExample, failures: deliveryFailures },
  redeliverToWebhookEndpoint: {
    response: { ...deliveryExample, status: 'pending', next_attempt_at: at },
    failures: {
      ...deliveryFailures,
      CONFLICT: [
        `webhook event ${deliveryExample.id} is still being delivered; wait until its attempts have ended`,
        `webhook endpoint ${exampleId(41)} is disabled; enable it first`,
      ],
    },
  },
}
