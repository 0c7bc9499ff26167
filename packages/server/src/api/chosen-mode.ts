// Determines the mode (live or test) of a list or report. The parameter `mode` decides; without it, the mode of the API
// key applies, and for a user the mode live. Only `mode=all` covers both modes.

import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import { type Mode, modes } from '../values/mode.ts'
import { type Caller, modeOfCaller } from './context.ts'

/** The allowed values of the parameter `mode`. */
export const modeChoices = [...modes, 'all'] as const

/** The schema of the parameter `mode` of a list or report. `more` is added to its description. */
export const modeFilter = (items: string, more = '') =>
  z
    .enum(modeChoices)
    .optional()
    .meta({
      description: `Only ${items} in this mode. The default is the mode of the API key; for a user, \`live\`. \`all\` returns every mode that the credential can access${more}. An API key can access only its own mode; another mode returns 403`,
    })

/**
 * The schema of `mode` for a list that can be limited to one payment or provider account by the parameters `ids`. Such
 * a list has the mode of that payment or account by default.
 */
export const modeOrIdFilter = (items: string, ids: string) =>
  modeFilter(items, `. With ${ids}, the default is its mode`)

/** Returns the mode that a list or report covers, or null for both. Throws FORBIDDEN for a mode that is not the key's. */
export function chosenMode(caller: Caller, requested: Mode | 'all' | undefined): Mode | null {
  const own = modeOfCaller(caller)
  if (own !== null && requested !== undefined && requested !== 'all' && requested !== own)
    throw fault('mode_of_other_key', { own, asked: requested }, { field: 'mode' })
  if (own !== null) return own
  return requested === 'all' ? null : (requested ?? 'live')
}

/** Like `chosenMode`, for data that exists once per mode, such as a balance. */
export const chosenSingleMode = (caller: Caller, requested: Mode | undefined): Mode =>
  chosenMode(caller, requested) ?? 'live'

/**
 * Like `chosenMode`, for a list that can be limited to one payment or account. If one of these ids is given, both modes
 * are allowed, because the list can then contain only one of them.
 */
export const chosenModeOrId = (
  caller: Caller,
  requested: Mode | 'all' | undefined,
  ...ids: (string | undefined)[]
): Mode | null => chosenMode(caller, requested ?? (ids.some(id => id !== undefined) ? 'all' : undefined))
