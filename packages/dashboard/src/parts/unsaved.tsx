import { useBlocker } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from './confirm.tsx'

const text = words({
  en: {
    title: 'Leave without saving?',
    about: 'What you changed here is not saved yet, and is gone once you leave.',
    leave: 'Leave',
  },
  id: {
    title: 'Tinggalkan tanpa menyimpan?',
    about: 'Perubahan Anda di sini belum disimpan, dan hilang begitu Anda pergi.',
    leave: 'Tinggalkan',
  },
})

const always = () => true

/** Asks for confirmation before unsaved changes are lost by leaving the page, its tab or the window. */
export function Unsaved({ isDirty }: { isDirty: boolean }) {
  const t = useWords(text)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: always,
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  })
  return (
    <Confirm
      isOpen={status === 'blocked'}
      close={() => reset?.()}
      title={t.title}
      act={t.leave}
      isGrave
      isActing={false}
      onAct={() => proceed?.()}
    >
      {t.about}
    </Confirm>
  )
}
