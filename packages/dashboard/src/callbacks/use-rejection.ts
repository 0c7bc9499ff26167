import { useWords } from '../language/language.tsx'
import { rejectionOf, rejectionWords } from './rejection-words.ts'

/** Returns a function for the reason of a rejected callback, in the reader's language. An unknown reason is unchanged. */
export function useRejection(): (said: string) => string {
  const t = useWords(rejectionWords)
  return said => {
    const rejection = rejectionOf(said)
    if (!rejection) return said
    const [value = ''] = Object.values(rejection.values)
    return t[rejection.text](value)
  }
}
