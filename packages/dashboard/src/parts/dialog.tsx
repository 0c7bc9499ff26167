import { Modal, type ModalProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { close: 'Close' }, id: { close: 'Tutup' } })

/** A modal whose way out has a name, too. */
export function Dialog(given: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  const t = useWords(text)
  return <Modal opened centered closeButtonProps={{ 'aria-label': t.close }} {...given} />
}
