// Converts an API error or a violated form rule to a sentence in the user's language. An error without a translation
// is shown with its English message.

import type { TranslatedFaultId } from '@gapura/server/faults'
import { type Formats, formatsIn } from '../format/format.ts'
import type { FaultTexts } from './fault-catalogue.ts'
import { faultTexts as en } from './faults.en.ts'
import { faultTexts as id } from './faults.id.ts'
import { type Language, useLanguage } from './language.tsx'

/**
 * An error as the service sent it. `message` is in English, and is shown if the dashboard has no text for the error's
 * ID.
 */
export type SentFault = { id: string | undefined; params: unknown; message: string }

const catalogues: Record<Language, FaultTexts> = { en, id }

export function faultText(language: Language, { id, params, message }: SentFault): string {
  const texts = catalogues[language]
  const text = id !== undefined && Object.hasOwn(texts, id) ? texts[id as TranslatedFaultId] : message
  if (typeof text === 'string') return capitalized(text)
  return capitalized((text as (params: unknown, formats: Formats) => string)(params, formatsIn(language)))
}

/** Capitalizes the first letter of a sentence, unless the sentence starts with a URL, address or identifier. */
const capitalized = (text: string): string =>
  text.replace(/^[a-z][a-z-]*(?=[\s,;:]|$)/, ([first = '', ...rest]) => first.toUpperCase() + rest.join(''))

export function useFaultText(): (fault: SentFault) => string {
  const [language] = useLanguage()
  return fault => faultText(language, fault)
}
