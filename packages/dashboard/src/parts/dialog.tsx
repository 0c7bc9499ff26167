import { Modal, type ModalProps } from '@mantine/core'
import { useEffect } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { close: 'Close' }, id: { close: 'Tutup' } })

type Given = Omit<ModalProps, 'opened'> & {
  opened?: boolean
  /** Closes by a button in it alone: what it shows is gone for good afterwards. */
  isKept?: boolean
}

/** A modal whose way out has a name, too. */
export function Dialog({ isKept = false, ...given }: Given) {
  const t = useWords(text)
  useFocusBack(given.opened === undefined)
  return (
    <Modal
      opened
      centered
      closeButtonProps={{ 'aria-label': t.close }}
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
      {...given}
    />
  )
}

/** Mantine does this for a dialog that was mounted closed. */
function useFocusBack(isMountedOpen: boolean): void {
  useEffect(() => {
    if (!isMountedOpen) return
    const before = document.activeElement
    return () => {
      // What took the focus meanwhile, such as the next dialog, has it.
      if (document.activeElement !== document.body) return
      const target =
        before !== document.body && before?.isConnected ? before : document.getElementById('page')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
  }, [isMountedOpen])
}
