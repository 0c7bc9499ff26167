import type { FaultParams, TranslatedFaultId } from '@gapura/server/faults'
import type { Formats } from '../format/format.ts'

/**
 * The error texts in one language. Each error of the service has a text, and the text may use only the
 * parameters of this error.
 */
export type FaultTexts = {
  readonly [Id in TranslatedFaultId]: string | ((params: FaultParams<Id>, formats: Formats) => string)
}
