import { z } from 'zod'
import { toJsonNumber } from '../values/money.ts'
import type { ChannelTerms } from './channel-terms.ts'

export const channelTermsView = z.strictObject({
  code: z.string(),
  name: z.string(),
  min_amount: z.int().nullable(),
  max_amount: z.int().nullable(),
  whole_rupiah: z.boolean(),
  min_expiry_minutes: z.int(),
  max_expiry_minutes: z.int(),
  needs_mobile_number: z.boolean(),
  is_available: z.boolean(),
})

export const viewChannelTerms = (terms: ChannelTerms): z.output<typeof channelTermsView> => ({
  code: terms.code,
  name: terms.name,
  min_amount: terms.minAmount === null ? null : toJsonNumber(terms.minAmount),
  max_amount: terms.maxAmount === null ? null : toJsonNumber(terms.maxAmount),
  whole_rupiah: terms.wholeRupiah,
  min_expiry_minutes: terms.minExpiryMinutes,
  max_expiry_minutes: terms.maxExpiryMinutes,
  needs_mobile_number: terms.needsMobileNumber,
  is_available: terms.isAvailable,
})
