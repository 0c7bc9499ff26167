import { useBlocker } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from './confirm.tsx'

const text = words({
  en: {
    title: 'Leave without saving?',
    about: 'You have unsaved changes. They are lost if you leave this page.',
    leave: 'Leave',
  },
  id: {
    title: 'Tinggalkan tanpa menyimpan?',
    about: 'Ada perubahan yang belum disimpan. Perubahan itu hilang jika Anda meninggalkan halaman ini.',
    leave: 'Tinggalkan',
  },
})

const always = () => true

/**
 * Asks for confirmation before the user loses unsaved changes by leaving the page, or by closing its tab or
 * window.
 */
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
