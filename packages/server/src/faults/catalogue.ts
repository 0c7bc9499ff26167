// Every fault that a caller can receive, by its id. An entry has the error code and a function that returns the English
// text for the fault's parameters, which are JSON values. In an error message, the kind of error and the field, if
// there is one, come before this text: `bad request: amount: must be at least 1`. The dashboard has a text for each id
// in each of its languages, except for those in untranslated.ts.

import { accessFaults } from './access.ts'
import { accountFaults } from './accounts.ts'
import { capacityFaults } from './capacity.ts'
import { moneyFaults } from './money.ts'
import { notFoundFaults } from './not-found.ts'
import { untranslatedFaults } from './untranslated.ts'
import { validationFaults } from './validation.ts'

export const translatedFaults = {
  ...accessFaults,
  ...accountFaults,
  ...capacityFaults,
  ...moneyFaults,
  ...notFoundFaults,
  ...validationFaults,
}
export const faults = { ...translatedFaults, ...untranslatedFaults }

export type Faults = typeof faults
export type FaultId = keyof Faults
/** The ids of the faults for which the dashboard has texts. */
export type TranslatedFaultId = keyof typeof translatedFaults

/** The type of a fault's parameters; an empty tuple if the fault has none. */
export type FaultParams<Id extends FaultId> =
  Parameters<Faults[Id]['text']> extends [infer Params] ? Params : Record<never, never>
