import { faultOf } from '../api/fault.ts'
import { useComplaint } from '../language/complaint.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    broken: 'Something went wrong. Try again; if that does not help, reload the page.',
    away: 'The service is not responding. Check your connection, then try again.',
  },
  id: {
    broken: 'Terjadi kesalahan. Coba lagi; jika tidak berhasil, muat ulang halaman ini.',
    away: 'Layanan tidak merespons. Periksa koneksi Anda, lalu coba lagi.',
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
