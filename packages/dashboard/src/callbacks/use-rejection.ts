import { useWords } from '../language/language.tsx'
import { rejectionOf, rejectionWords } from './rejection-words.ts'

/**
 * Returns a function that translates the reason why a callback was rejected. An unknown reason is returned
 * unchanged.
 */
export function useRejection(): (said: string) => string {
  const t = useWords(rejectionWords)
  return said => {
    const rejection = rejectionOf(said)
    if (!rejection) return said
    const [value = ''] = Object.values(rejection.values)
    return t[rejection.text](value)
  }
}
