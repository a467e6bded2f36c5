"""Holds App.net's own Python client against our server: `checks.py FOLDER`, the server's ready line on standard input.

FOLDER has adnpy's source archive. Prints a line for each check; ends with 1 if one failed.
"""

import io
import json
import sys
import threading
import time
import traceback

import adapted

adapted.install(sys.argv[1])

import adnpy  # noqa: E402
import requests  # noqa: E402
from adnpy.errors import (  # noqa: E402
    AdnAPIException,
    AdnAuthAPIException,
    AdnBadRequestAPIException,
    AdnMissing,
    AdnPermissionDenied,
)
from adnpy.recipes.broadcast import BroadcastMessageBuilder  # noqa: E402
from adnpy.stream import Stream, StreamListener  # noqa: E402

READY = json.loads(sys.stdin.readline())["appnet"]
ROOT = READY["root"]
FIRST, SECOND = READY["users"][0], READY["users"][1]
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def client(token=None):
    return adnpy.API.build_api(api_root=ROOT, access_token=token)


me, other, app, nobody = client(FIRST["token"]), client(SECOND["token"]), client(READY["appToken"]), client()


def fails(kind, call):
    try:
        call()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__} was raised")


def equal(is_, expected):
    assert is_ == expected, f"{is_!r} is not {expected!r}"


@check
def posts():
    post, meta = me.create_post(data={"text": "hello #tag and @" + SECOND["username"]})
    equal(meta.code, 200)
    equal(post.entities.hashtags[0].name, "tag")
    equal(post.entities.mentions[0].name, SECOND["username"])
    equal(me.get_post(post)[0].text, post.text)
    equal([p.id for p in me.get_posts(ids=str(post.id))[0]], [post.id])
    reply, _ = other.create_post(data={"text": "indeed", "reply_to": post.id})
    equal({p.id for p in me.posts_replies(post)[0]}, {post.id, reply.id})
    assert other.star_post(post)[0].you_starred
    assert not other.unstar_post(post)[0].you_starred
    other.star_post(post)
    equal([u.username for u in me.users_starred_post(post)[0]], [SECOND["username"]])
    equal([p.id for p in me.users_starred_posts(SECOND["id"])[0]], [post.id])
    repost, _ = other.repost_post(post)
    equal(repost.repost_of.id, post.id)
    equal([u.username for u in me.users_reposted_post(post)[0]], [SECOND["username"]])
    equal(other.unrepost_post(post)[0].id, post.id)
    assert post.id in [p.id for p in me.users_posts("me")[0]]
    assert post.id in [p.id for p in other.users_mentioned_posts("me")[0]]
    assert post.id in [p.id for p in me.users_post_stream()[0]]
    assert post.id in [p.id for p in me.users_post_stream_unified()[0]]
    assert post.id in [p.id for p in nobody.posts_stream_global()[0]]
    assert post.id in [p.id for p in me.posts_with_hashtag("tag")[0]]
    assert post.id in [p.id for p in me.post_search(query="hello")[0]]
    # adnpy reports with GET, which the API never took.
    fails(AdnAPIException, lambda: other.report_post(post))
    assert me.delete_post(post)[0].is_deleted


@check
def users():
    user, _ = me.get_user("me")
    equal(user.username, FIRST["username"])
    equal(nobody.get_user("@" + FIRST["username"])[0].id, user.id)
    equal([u.id for u in me.get_users(ids=str(user.id))[0]], [user.id])
    equal(me.patch_user("me", data={"description": {"text": "from python"}})[0].description.text, "from python")
    changed, _ = me.update_user("me", data={
        "name": "Changed", "locale": "en_US", "timezone": "Europe/Berlin", "description": {"text": "whole"},
    })
    equal((changed.name, changed.timezone, changed.description.text), ("Changed", "Europe/Berlin", "whole"))
    assert user.id in [u.id for u in me.user_search(q="@" + FIRST["username"])[0]]
    there = str(SECOND["id"])
    assert me.follow_user(there)[0].you_follow
    equal([u.username for u in me.users_following("me")[0]], [SECOND["username"]])
    equal([u.username for u in other.users_followers("me")[0]], [FIRST["username"]])
    equal(me.users_following_ids("me")[0], [there])
    equal(other.users_followers_ids("me")[0], [str(user.id)])
    assert not me.unfollow_user(there)[0].you_follow
    assert me.mute_user(there)[0].you_muted
    equal([u.username for u in me.users_muted_users("me")[0]], [SECOND["username"]])
    assert not me.unmute_user(there)[0].you_muted
    assert me.block_user(there)[0].you_blocked
    equal([u.username for u in me.users_blocked_users("me")[0]], [SECOND["username"]])
    assert not me.unblock_user(there)[0].you_blocked
    me.unmute_user(there)


@check
def channels_and_messages():
    kind = "com.example.python"
    channel, _ = me.create_channel(data={
        "type": kind,
        "readers": {"public": False, "user_ids": ["@" + SECOND["username"]]},
        "writers": {"user_ids": [SECOND["id"]]},
        "annotations": [{"type": "com.example.note", "value": {"a": [1, None, "x"]}}],
    })
    equal(channel.owner.username, FIRST["username"])
    me.subscribe_channel(channel)
    other.subscribe_channel(channel)
    equal(me.get_channel(channel, include_annotations=1)[0].get_annotation("com.example.note", "one").a, [1, None, "x"])
    sent = [me.create_message(channel, data={"text": f"message {n}"})[0] for n in range(45)]
    read = [m.id for m in adnpy.cursor(me.get_channel_messages, channel, count=20)]
    equal(read, [m.id for m in reversed(sent)])
    assert other.get_channel(channel)[0].has_unread
    page, meta = other.get_channel_messages(channel, count=1)
    equal(meta.marker.name, f"channel:{channel.id}")
    equal({m.id for m in me.get_messages(ids=f"{sent[0].id},{sent[1].id}")[0]}, {sent[0].id, sent[1].id})
    equal(me.get_message(channel, sent[3])[0].text, "message 3")
    deleted, _ = me.delete_message(channel, sent[3])
    assert deleted.is_deleted and "text" not in deleted
    equal(me.users_messages(count=1)[0][0].id, sent[-1].id)
    equal({int(i) for i in me.subscribed_user_ids(channel)[0]}, {int(FIRST["id"]), int(SECOND["id"])})
    equal({u.username for u in me.subscribed_users(channel)[0]}, {FIRST["username"], SECOND["username"]})
    assert str(channel.id) in me.subscribed_user_ids_for_channels(ids=str(channel.id))[0]
    assert channel.id in [c.id for c in me.subscribed_channels(channel_types=kind)[0]]
    assert channel.id in [c.id for c in me.users_channels()[0]]
    updated, _ = me.update_channel(channel, data={"readers": {"public": True}, "writers": {"any_user": False}})
    assert updated.readers.public
    other.mute_channel(channel)
    assert channel.id in [c.id for c in other.muted_channels()[0]]
    other.unsubscribe_channel(channel)


@check
def private_messages():
    message, _ = me.create_message("pm", data={"text": "psst", "destinations": ["@" + SECOND["username"]]})
    again, _ = other.create_message("pm", data={"text": "yes?", "destinations": [FIRST["id"]]})
    equal(message.channel_id, again.channel_id)
    assert me.num_unread_pm_channels()[0] >= 0


@check
def broadcasts_with_files():
    channel, _ = me.create_channel(data={"type": "net.app.core.broadcast", "readers": {"public": True}})
    builder = BroadcastMessageBuilder(me)
    builder.channel_id = channel.id
    builder.headline = "news"
    builder.text = "read [this](http://example.com/a)"
    builder.parse_markdown_links = True
    attachment = io.BytesIO(b"attached bytes")
    attachment.name = "a.txt"
    builder.attachment = attachment
    message, _ = builder.send()
    read, _ = me.get_message(channel, message, include_annotations=1)
    equal(read.get_annotation("net.app.core.broadcast.message.metadata", "one").subject, "news")
    attached = read.get_annotation("net.app.core.attachments", "one")["net.app.core.file_list"][0]
    assert "file_token" not in attached and attached.file_token_read
    equal(read.entities.links[0].url, "http://example.com/a")


@check
def files():
    kind = "com.example.python"
    created, _ = me.create_file(
        data={"type": kind, "public": "1"}, files={"content": ("hello.txt", b"file content", "text/plain")}
    )
    equal((created.name, created.size, created.complete), ("hello.txt", 12, True))
    equal(me.get_file_content(created).content, b"file content")
    equal(me.update_file(created, data={"name": "other.txt"})[0].name, "other.txt")
    equal([f.id for f in me.get_files(ids=created.id)[0]], [created.id])
    assert created.id in [f.id for f in me.get_my_files(file_types=kind)[0]]
    incomplete, _ = me.create_file(data={"type": kind, "kind": "other", "name": "later.bin"})
    assert not incomplete.complete
    me.delete_file(created)
    fails(AdnMissing, lambda: me.get_file(created))


@check
def small_things():
    assert me.get_config()[0].message.text_max_length >= 2048
    token, _ = me.get_token()
    equal(token.user.username, FIRST["username"])
    text, _ = me.text_process(data={"text": "see http://example.com #now"})
    equal((len(text.entities.links), text.entities.hashtags[0].name), (1, "now"))
    slugs = [stream.slug for stream in me.get_explore_streams()[0]]
    assert slugs
    nobody.get_explore_stream(slugs[0])
    place, *_ = me.search_places(latitude=1, longitude=1, radius=50000)[0] or [None]
    if place:
        equal(me.get_place(place)[0].name, place.name)
    # A star and a follow of another are interactions of mine.
    mine, _ = me.create_post(data={"text": "for interactions"})
    other.star_post(mine)
    other.follow_user(str(FIRST["id"]))
    actions = [i.action for i in me.interactions_with_user()[0]]
    assert "star" in actions and "follow" in actions, actions


@check
def failures():
    fails(AdnAuthAPIException, lambda: nobody.get_user("me"))
    fails(AdnAuthAPIException, lambda: client("wrong").get_token())
    fails(AdnMissing, lambda: me.get_post(99999999))
    fails(AdnBadRequestAPIException, lambda: me.search_places(q="x"))
    fails(AdnPermissionDenied, lambda: me.get_streams())
    secret, _ = other.create_channel(data={"type": "com.example.private"})
    fails((AdnMissing, AdnPermissionDenied), lambda: me.get_channel_messages(secret))


@check
def app_streams_and_filters():
    filter_, _ = me.create_filter(data={
        "name": "posts of mine", "match_policy": "include_any",
        "clauses": [{"object_type": "post", "operator": "matches", "value": "streamed", "field": "/data/text"}],
    })
    equal(me.get_filter(filter_)[0].name, "posts of mine")
    me.delete_filter(filter_)
    seen, connected = [], threading.Event()

    class Listener(StreamListener):
        def on_connect(self):
            connected.set()

        def on_post(self, *arguments, meta):
            if arguments:
                seen.append(arguments[0].text)

        def on_error(self, status_code):
            connected.set()

    class AuthorizedStream(Stream):
        def get_streaming_endpoint(self, endpoint):
            return f"{endpoint}?access_token={READY['appToken']}"

    stream = AuthorizedStream(app, {"object_types": ["post"], "type": "long_poll", "key": "python"}, Listener, timeout=5.0)
    thread = threading.Thread(target=quietly(stream.start), daemon=True)
    thread.start()
    assert connected.wait(20), "the stream does not connect"
    me.create_post(data={"text": "streamed"})
    deadline = time.monotonic() + 20
    while "streamed" not in seen and time.monotonic() < deadline:
        time.sleep(0.05)
    equal(seen, ["streamed"])
    stream.disconnect()
    app.delete_all_streams()
    equal(app.get_streams()[0], [])
    thread.join(20)


def quietly(function):
    """A stream whose end is ours says so by raising."""
    def run():
        try:
            function()
        except (requests.RequestException, Exception):  # noqa: BLE001
            pass
    return run


def complete_users():
    """The ready line names users by name and token; their ids are asked for."""
    for user in (FIRST, SECOND):
        user["id"] = client(user["token"]).get_user("me")[0].id


def main():
    complete_users()
    failed = 0
    for function in CHECKS:
        try:
            function()
            print(f"ok      adnpy: {function.__name__.replace('_', ' ')}")
        except Exception:  # noqa: BLE001
            failed += 1
            print(f"FAILED  adnpy: {function.__name__.replace('_', ' ')}")
            traceback.print_exc(file=sys.stdout)
    print(f"interop: adnpy: {len(CHECKS)} checks, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
