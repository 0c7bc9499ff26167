// Turns an API error or a broken rule of a form into a sentence in the user's language. Each language has a catalogue of
// texts by fault id; a fault that this version does not know is shown with its English message.

import type { FaultParams, TranslatedFaultId } from '@gapura/server/faults'
import { type Formats, formatsIn } from '../format/format.ts'
import { faultTexts as en } from './faults.en.ts'
import { faultTexts as id } from './faults.id.ts'
import { type Language, useLanguage } from './language.tsx'

/** Every language must have a text for each fault, and may use only the parameters that the service sends with it. */
export type FaultTexts = {
  readonly [Id in TranslatedFaultId]: string | ((params: FaultParams<Id>, formats: Formats) => string)
}

/** message: English; shown if the id is unknown. */
export type ToldFault = { id: string | undefined; params: unknown; message: string }

const catalogues: Record<Language, FaultTexts> = { en, id }

export function faultText(language: Language, { id, params, message }: ToldFault): string {
  const texts = catalogues[language]
  const text = id !== undefined && Object.hasOwn(texts, id) ? texts[id as TranslatedFaultId] : message
  if (typeof text === 'string') return capitalized(text)
  return capitalized((text as (params: unknown, formats: Formats) => string)(params, formatsIn(language)))
}

/** A leading URL, address or identifier is not changed. */
const capitalized = (text: string): string =>
  text.replace(/^[a-z][a-z-]*(?=[\s,;:]|$)/, ([first = '', ...rest]) => first.toUpperCase() + rest.join(''))

export function useFaultText(): (fault: ToldFault) => string {
  const [language] = useLanguage()
  return fault => faultText(language, fault)
}
