import type { ReactNode } from 'react'
import classes from './two-lines.module.css'

/** A cell with a value and a secondary line below it. The height of every row fits two lines. */
export const TwoLines = ({ top, below }: { top: ReactNode; below: ReactNode }) => (
  <>
    <div className={classes.line}>{top}</div>
    {below && <div className={classes.below}>{below}</div>}
  </>
)
