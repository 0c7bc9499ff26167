// Finds the payment channels that are active in the chosen mode (live or test), and the methods and channels that
// are missing in this mode.

import type { Outputs } from '../api/trpc.ts'
import { type MethodType, methodTypes } from '../payments/payment-words.ts'

export type Method = Outputs['methods']['channels']['methods'][number]
export type Channel = Method['channels'][number]

/**
 * A payment method that is missing in the chosen mode (live or test), as a whole or only with some of its
 * channels. `channels` lists the missing channels. If it is empty, the whole method is missing.
 */
export type MissingMethod = { type: MethodType; channels: Pick<Channel, 'code' | 'name'>[] }

/**
 * Returns the payment methods and channels that are missing in the chosen mode (test or live). A channel is missing if
 * it is active only in the other mode. A method is missing if it is active in neither mode.
 */
export const missingMethods = (here: readonly Method[], inOtherMode: readonly Method[]): MissingMethod[] =>
  methodTypes.flatMap(type => {
    const active = channelsOf(here, type)
    const missing = channelsOf(inOtherMode, type).filter(
      other => !active.some(each => each.code === other.code),
    )
    return missing.length > 0 || active.length === 0 ? [{ type, channels: missing }] : []
  })

const channelsOf = (methods: readonly Method[], type: MethodType): Channel[] =>
  methods.find(method => method.type === type)?.channels ?? []

export const unavailableChannels = (methods: readonly Method[]): Channel[] =>
  methods.flatMap(({ channels }) => channels.filter(channel => !channel.is_available))
