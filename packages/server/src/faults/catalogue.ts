// Maps each fault's ID to its error code and its English text. A fault is an error that a caller can receive. The
// text is a function of the fault's parameters, which are JSON values.
//
// The text follows the kind of error and the field, such as `bad request: amount: must be at least 1`. The
// dashboard translates each ID, except for those in untranslated.ts.

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
/** The IDs of the faults for which the dashboard has a text. */
export type TranslatedFaultId = keyof typeof translatedFaults

/** A fault's parameters as a tuple type, which is empty if there are none. */
export type FaultParams<Id extends FaultId> =
  Parameters<Faults[Id]['text']> extends [infer Params] ? Params : Record<never, never>
