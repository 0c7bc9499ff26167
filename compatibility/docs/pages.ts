// Every page of docs/guides and what runs the code in it.

import { join } from 'node:path'

export const guides = join(import.meta.dirname, '../../docs/guides')

/** In this order: each goes on where the quick start ended. */
export const merchantPages = [
  'quick-start',
  'idempotency',
  'webhooks',
  'payment-states',
  'going-live',
] as const
export const operatorPages = ['scaling', 'backup', 'key-rotation', 'upgrade', 'adding-a-provider'] as const

/** By a test of their own. */
export const otherPages = {
  'webhook-recipes': 'compatibility/sdk/recipes.test.ts',
  versioning: 'packages/server/src/api/breaking-changes.test.ts',
} as const
