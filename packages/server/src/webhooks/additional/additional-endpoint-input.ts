// Input schemas for additional webhook endpoints, shared with forms in the browser. The schemas do not resolve
// a URL's host, so the rejection of private addresses is left to the service.

import { z } from 'zod'
import { modes } from '../../values/mode.ts'
import { httpUrl, text } from '../../values/text.ts'
import { eventTypes } from '../event-type.ts'
import { schedules } from './retry-schedule.ts'

const url = text(2048).meta({
  ...httpUrl,
  description:
    'URL that receives the events. It must use `https` and resolve to a public address. Two endpoints in the same mode cannot have the same URL',
  example: 'https://erp.example.com/hooks/gapura',
})

const description = text().meta({
  description: 'Text that helps you recognize the endpoint',
  example: 'Accounting system',
})

const types = z
  .array(z.enum(eventTypes))
  .max(eventTypes.length)
  .meta({
    description: 'Event types to send to the endpoint. An empty list means all types',
    example: ['payment.paid', 'payment.refunded'],
  })

const schedule = z.enum(schedules).meta({
  description:
    'Retry schedule. `short`: up to 4 attempts, 10 s apart. `long`: up to 10 attempts within 3 days, with pauses that grow from 10 s to 24 h',
  example: 'long',
})

export const createEndpointInput = z.object({
  mode: z.enum(modes).meta({
    description: 'Mode of the events that the endpoint receives. Cannot be changed',
    example: 'live',
  }),
  url,
  description: description.default(''),
  event_types: types.default([]),
  schedule: schedule.default('short'),
  enabled: z.boolean().default(true).meta({ description: 'Whether events are sent (default true)' }),
})

/** The fields of a webhook endpoint that a request can change. Omitted fields keep their values. */
export const updateEndpointInput = z.object({
  url: url.optional(),
  description: description.optional(),
  event_types: types.optional(),
  schedule: schedule.optional(),
  enabled: z.boolean().optional().meta({
    description:
      'Whether events are sent to the endpoint. While this is false, the endpoint gets no new events, and waiting deliveries are not attempted',
  }),
})
