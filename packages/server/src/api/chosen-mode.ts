// Determines which mode (live or test) a list or report covers, from the query parameter `mode`. By default, a request
// with an API key covers the mode of the key, and a request by a user covers live mode. Only `mode=all` covers both
// modes.

import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import { type Mode, modes } from '../values/mode.ts'
import { type Caller, modeOfCaller } from './context.ts'

/** The allowed values for the query parameter `mode`. */
export const modeChoices = [...modes, 'all'] as const

/**
 * Returns the schema for the query parameter `mode` (live or test) of a list for API keys and users. `items` names what
 * is listed.
 */
export const modeFilter = (items: string) =>
  modeParameter(
    `Returns only ${items} in this mode. The default is the mode of the API key, or \`live\` for a user with an access token. If a user sets \`all\`, the response contains ${items} in live and test mode. If an API key sets \`all\`, the response contains only ${items} in the key's own mode. An API key's request for the other mode returns 403`,
  )

/**
 * Returns the schema for the query parameter `mode` (live or test) of a list or report for users only. `division`
 * explains how a response for both modes is divided.
 */
export const userModeFilter = (items: string, division = '') =>
  modeParameter(describeUserMode(items, division))

/**
 * Returns the schema for the query parameter `mode` (live or test) of a list for users. The list can also be filtered
 * by the ID of a payment or provider account. In this case, the default is the mode of the payment or account. `ids` is
 * the text that names these filters.
 */
export const modeOrIdFilter = (items: string, ids: string) =>
  modeParameter(
    `${describeUserMode(items)}. If the list is filtered by ${ids}, the default is the mode of the object with this ID`,
  )

const modeParameter = (description: string) => z.enum(modeChoices).optional().meta({ description })

const describeUserMode = (items: string, division = '') =>
  `Returns only ${items} in this mode. The default is \`live\`. With \`all\`, the response contains ${items} in live and test mode${division}`

/**
 * Returns the mode (live or test) that a list or report covers, or null for both. Throws FORBIDDEN if an API key
 * requests a mode other than its own.
 */
export function chosenMode(caller: Caller, requested: Mode | 'all' | undefined): Mode | null {
  const own = modeOfCaller(caller)
  if (own !== null && requested !== undefined && requested !== 'all' && requested !== own)
    throw fault('mode_of_other_key', { own, asked: requested }, { field: 'mode' })
  if (own !== null) return own
  return requested === 'all' ? null : (requested ?? 'live')
}

/**
 * Returns the mode (live or test) of a request for data that exists separately in each mode, such as a balance. The
 * default for users is live mode.
 */
export const chosenSingleMode = (caller: Caller, requested: Mode | undefined): Mode =>
  chosenMode(caller, requested) ?? 'live'

/**
 * Works like `chosenMode`, but for a list that can be filtered by payment or account. If a request has such a filter
 * but no mode, the list covers both modes. This is correct, because all matching items have the mode of the payment or
 * account.
 */
export const chosenModeOrId = (
  caller: Caller,
  requested: Mode | 'all' | undefined,
  ...ids: (string | undefined)[]
): Mode | null => chosenMode(caller, requested ?? (ids.some(id => id !== undefined) ? 'all' : undefined))
