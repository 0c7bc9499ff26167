import type { ReactNode } from 'react'
import classes from './two-lines.module.css'

type Given = {
  top: ReactNode
  below: ReactNode
  /** If true, the second line of the cell wraps instead of being truncated. */
  isWhole?: boolean
}

/** A cell with a value and a secondary line below it. The secondary line is truncated, except on phones. */
export const TwoLines = ({ top, below, isWhole = false }: Given) => (
  <>
    <div>{top}</div>
    {below && (
      <div className={classes.below} data-whole={isWhole}>
        {below}
      </div>
    )}
  </>
)
