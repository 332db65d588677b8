import { isApiError } from "../../api/api-error.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";

/** A link that is used up says what to do; other failures can be tried again. */
export const LinkProblem = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  isApiError(error, "not_found") ? (
    <InlineNotice tone="warning" title="This link no longer works" live>
      {error.message}.
    </InlineNotice>
  ) : (
    <ErrorState error={error} onRetry={onRetry} />
  );
