import type { ReactNode } from 'react'
import classes from './two-lines.module.css'

/** A cell with what belongs to its value below it; a row's height is that of two lines. */
export const TwoLines = ({ top, below }: { top: ReactNode; below: ReactNode }) => (
  <>
    <div className={classes.line}>{top}</div>
    {below && <div className={classes.below}>{below}</div>}
  </>
)
