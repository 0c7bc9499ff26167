// Maps the ID of each fault to its error code and its English text. A fault is an error returned to a caller. The text
// is a function of the fault's parameters, which are JSON values.
//
// An error message consists of the kind of error, the field's name (if any) and the text, as in `bad request: amount:
// must be at least 1`. The dashboard translates all texts except those in untranslated.ts.

import { accessFaults } from './access.ts'
import { accountFaults } from './accounts.ts'
import { brandingFaults } from './branding.ts'
import { capacityFaults } from './capacity.ts'
import { moneyFaults } from './money.ts'
import { notFoundFaults } from './not-found.ts'
import { refundFaults } from './refunds.ts'
import { untranslatedFaults } from './untranslated.ts'
import { validationFaults } from './validation.ts'

export const translatedFaults = {
  ...accessFaults,
  ...accountFaults,
  ...brandingFaults,
  ...capacityFaults,
  ...moneyFaults,
  ...notFoundFaults,
  ...refundFaults,
  ...validationFaults,
}
export const faults = { ...translatedFaults, ...untranslatedFaults }

export type Faults = typeof faults
export type FaultId = keyof Faults
/** The IDs of the faults (errors for callers) that the dashboard shows with a text of its own. */
export type TranslatedFaultId = keyof typeof translatedFaults

/** The parameters of a fault as a tuple type. For a fault without parameters, the tuple is empty. */
export type FaultParams<Id extends FaultId> =
  Parameters<Faults[Id]['text']> extends [infer Params] ? Params : Record<never, never>
