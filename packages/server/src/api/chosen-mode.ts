// Which mode a request is about. Test and live never mix unless a request asks for both: `mode` decides, else the mode of
// the API key, else live.

import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import { type Mode, modes } from '../values/mode.ts'
import { type Caller, modeOfCaller } from './context.ts'

/** The values of a request's `mode`. */
export const modeChoices = [...modes, 'all'] as const

/** The input `mode` of a list or report. `more` is added to the description for this list. */
export const modeFilter = (items: string, more = '') =>
  z
    .enum(modeChoices)
    .optional()
    .meta({
      description: `Only ${items} in this mode. The default is the mode of the API key; for a user, \`live\`. \`all\` returns every mode that the credential can access${more}. An API key can access only its own mode; another mode returns 403`,
    })

/**
 * `modeFilter` of a list that the parameter `ids` narrows to one payment or one provider account. It has one mode, so
 * nothing can mix.
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

/** As `chosenMode`, for what exists once in each mode, such as a balance. */
export const chosenSingleMode = (caller: Caller, requested: Mode | undefined): Mode =>
  chosenMode(caller, requested) ?? 'live'

/** As `chosenMode`, for a list that any of these ids narrows to what has one mode. */
export const chosenModeOrId = (
  caller: Caller,
  requested: Mode | 'all' | undefined,
  ...ids: (string | undefined)[]
): Mode | null => chosenMode(caller, requested ?? (ids.some(id => id !== undefined) ? 'all' : undefined))
