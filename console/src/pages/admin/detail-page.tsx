import { useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { type DetailList, type Details, useDetail } from "./admin-api.ts";

/** The page of one row of a list, whose id is in the address. */
export function detailPage<Name extends DetailList>(
  list: Name,
  noun: string,
  Loaded: ComponentType<{ row: Details[Name] }>,
) {
  return function DetailPage() {
    const { id = "" } = useParams({ strict: false });
    const { data, error, refetch } = useDetail(list, id);
    usePageTitle(data?.name ?? noun);
    if (data !== undefined) return <Loaded row={data} />;
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  };
}
