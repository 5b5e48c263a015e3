-- Gives every fact {last} standings, one a revision, of which the last is the present one.
SELECT enter_tenant({organization}, {scopes}, {scopes});
UPDATE standings SET from_rev = {last};
INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_id, object_key,
                       valid_from, valid_to, lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier,
                       verification, kind, corrected, observed_at, standing_hash, from_rev, to_rev)
SELECT organization_id, group_id, md5(standing_id || ' at ' || r)::uuid, fact_id, slot_id, subject_id, predicate, object_id,
       object_key, valid_from, valid_to, lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier,
       verification, kind, corrected, observed_at, standing_hash, r, r + 1
FROM standings CROSS JOIN generate_series(1, {last} - 1) r;
UPDATE facts_search SET from_rev = {last} WHERE to_rev = 9223372036854775807;
INSERT INTO mutations (organization_id, revision, group_id, principal_id, principal_kind, kind, commitment, previous_hash, hash, committed_at)
SELECT organization_id, r, group_id, principal_id, principal_kind, kind, commitment, previous_hash, hash,
       committed_at + r * interval '1 day' FROM mutations CROSS JOIN generate_series(2, {last}) r;
UPDATE heads SET revision = {last};
