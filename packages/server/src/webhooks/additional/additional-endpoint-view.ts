import { z } from 'zod'
import type { Secrets } from '../../secrets/secrets.ts'
import { modes } from '../../values/mode.ts'
import { eventTypes } from '../event-type.ts'
import type { AdditionalEndpoint } from './additional-endpoint.sql.ts'
import { additionalSecretContext } from './additional-endpoint-secrets.ts'
import { schedules } from './retry-schedule.ts'

/** The schema for an additional webhook endpoint in a list. Lists contain no signing secrets. */
export const listedEndpointView = z
  .strictObject({
    id: z.uuid(),
    mode: z.enum(modes),
    url: z.string().meta({ example: 'https://erp.example.com/hooks/gapura' }),
    description: z.string().meta({ example: 'Accounting system' }),
    event_types: z
      .array(z.enum(eventTypes))
      .meta({ description: 'Event types to send to the endpoint. An empty list means all types' }),
    schedule: z.enum(schedules).meta({ description: "The endpoint's retry schedule" }),
    enabled: z.boolean().meta({ description: 'Whether events are sent to the endpoint' }),
    previous_secret_expires_at: z.iso.datetime().nullable().meta({
      description:
        'Time until which webhooks are also signed with the previous secret; null if there is no active previous secret',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'ListedWebhookEndpoint',
    description: 'An additional webhook endpoint, without its secret',
  })

export const additionalEndpointView = listedEndpointView
  .extend({
    secret: z.string().meta({
      description: "Secret for verifying the signatures of this endpoint's webhooks",
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  })
  .meta({
    id: 'AdditionalWebhookEndpoint',
    description: 'An additional webhook endpoint, with its secret',
  })

export const viewListedEndpoint = (
  endpoint: AdditionalEndpoint,
  now: Date,
): z.output<typeof listedEndpointView> => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes,
  schedule: endpoint.schedule,
  enabled: endpoint.enabled,
  previous_secret_expires_at:
    endpoint.previousSecretExpiresAt && endpoint.previousSecretExpiresAt > now
      ? endpoint.previousSecretExpiresAt.toISOString()
      : null,
  created_at: endpoint.createdAt.toISOString(),
})

export const viewAdditionalEndpoint = async (
  secrets: Secrets,
  endpoint: AdditionalEndpoint,
  now: Date,
): Promise<z.output<typeof additionalEndpointView>> => ({
  ...viewListedEndpoint(endpoint, now),
  secret: await secrets.decrypt(endpoint.secretSealed, additionalSecretContext(endpoint.id)),
})
