import { Modal, type ModalProps } from '@mantine/core'
import { useEffect } from 'react'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { close: 'Close' }, id: { close: 'Tutup' } })

type Given = Omit<ModalProps, 'opened'> & {
  opened?: boolean
  /**
   * True if the dialog can be closed only with a button inside it. This is necessary if the dialog's content
   * cannot be shown again.
   */
  isKept?: boolean
}

/** A modal dialog whose close button has an accessible name. */
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

/**
 * When the dialog closes, returns the focus to the element that had it before. Mantine does this only for
 * dialogs that open after they were mounted, not for dialogs that are mounted open.
 */
function useFocusBack(isMountedOpen: boolean): void {
  useEffect(() => {
    if (!isMountedOpen) return
    const before = document.activeElement
    return () => {
      // If an element outside this dialog, such as the next dialog, already has the keyboard focus when this
      // dialog closes, that element keeps the focus.
      if (document.activeElement !== document.body) return
      const target =
        before !== document.body && before?.isConnected ? before : document.getElementById('page')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
  }, [isMountedOpen])
}
