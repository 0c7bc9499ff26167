import { faultOf } from '../api/fault.ts'
import { useComplaint } from '../language/complaint.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    broken: 'Something went wrong on this page. Load it again if trying again does not help.',
    away: 'The service does not answer. Check your connection, and try again.',
  },
  id: {
    broken: 'Terjadi kesalahan pada halaman ini. Muat ulang halaman jika mencoba lagi tidak membantu.',
    away: 'Layanan tidak menjawab. Periksa koneksi Anda, lalu coba lagi.',
  },
})

/** Returns an error as a message for users, in their language. */
export function useFaultWords(): (error: unknown) => string {
  const t = useWords(text)
  const complaint = useComplaint()
  return error => {
    const { isOfPage, code, message } = faultOf(error)
    if (isOfPage) return t.broken
    return code === '' ? t.away : complaint(message)
  }
}
