// Every fault that a caller can meet, by id. An entry has the error code and the English text as a function of its
// parameters, which are JSON values. The text follows the kind, and the field if there is one:
// `bad request: amount: must be at least 1`. The dashboard has a text for each id in each of its languages, except for
// those in untranslated.ts.

import { accessFaults } from './access.ts'
import { accountFaults } from './accounts.ts'
import { capacityFaults } from './capacity.ts'
import { moneyFaults } from './money.ts'
import { notFoundFaults } from './not-found.ts'
import { ruleFaults } from './rules.ts'
import { untranslatedFaults } from './untranslated.ts'

export const translatedFaults = {
  ...accessFaults,
  ...accountFaults,
  ...capacityFaults,
  ...moneyFaults,
  ...notFoundFaults,
  ...ruleFaults,
}
export const faults = { ...translatedFaults, ...untranslatedFaults }

export type Faults = typeof faults
export type FaultId = keyof Faults
/** The faults that the dashboard has texts for. */
export type TranslatedFaultId = keyof typeof translatedFaults

/** The parameters of a fault; empty if it has none. */
export type FaultParams<Id extends FaultId> =
  Parameters<Faults[Id]['text']> extends [infer Params] ? Params : Record<never, never>
